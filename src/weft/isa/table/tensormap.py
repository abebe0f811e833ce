"""`tensormap`: changing the fields of a tensor map, and publishing the changed map to the tensor copies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from weft.isa.form import Arg, Effects, Family, Form, Row, Slots, row

_REPLACE_TARGETS = "90a 100f+ 120f+"
_NEW_TARGETS = "100f+ 120f+"
_SYNTAX = "tensormap.replace.mode.field{.ss}.b1024.type "
_EFFECTS = Effects(memory="rw", space="ss")


def _replace(
    operands: str, fields: str, rows: Sequence[Row] = (), ptx: str = "8.3", sm: str = _REPLACE_TARGETS, **args: Arg
) -> Form:
    """A form of `tensormap.replace` for the fields that take the same operands."""
    return Form(
        _SYNTAX + operands,
        slots={"mode": "tile", "field": fields, "ss": "global shared::cta", "type": "b32 b64"},
        args={"addr": Arg(space="ss", access="rw", narrow=False), **args},
        rows=tuple(rows) or (row(type="b32"),),
        ptx=ptx,
        sm=sm,
    )


def _setting(values: Mapping[str, range], ptx: str = "8.3", sm: str = _REPLACE_TARGETS) -> Form:
    """The form for fields that hold one of a few numbered settings."""

    def allowed(slots: Slots) -> range:
        return values[slots["field"]]

    setting = Arg(type="b32", reg=False, values=allowed)
    return _replace("[addr], setting", " ".join(values), ptx=ptx, sm=sm, setting=setting)


_SETTINGS = {"elemtype": range(13), "interleave_layout": range(3), "swizzle_mode": range(4), "fill_mode": range(2)}

REPLACE = Family(
    "tensormap.replace",
    "Change one field of a tensor map in memory.",
    manual="data-movement-and-conversion-instructions-tensormap-replace",
    effects=_EFFECTS,
    forms=(
        _replace(
            "[addr], value",
            "global_address rank",
            (row(field="global_address", type="b64"), row(field="rank", type="b32")),
        ),
        _replace(
            "[addr], dimension, value",
            "box_dim global_dim global_stride element_stride",
            (row(field="box_dim|global_dim|element_stride", type="b32"), row(field="global_stride", type="b64")),
            dimension=Arg(type="b32", reg=False, values=range(5)),
            value=Arg(type=lambda slots: slots["type"].replace("b", "u")),  # ptxas subtracts from it, or shifts it.
        ),
        _setting(_SETTINGS),
        _setting({"elemtype": range(13, 16)}, ptx="8.7", sm=_NEW_TARGETS),
        _setting({"swizzle_atomicity": range(4)}, ptx="8.6", sm=_NEW_TARGETS),
        _setting({"swizzle_mode": range(4, 5)}, ptx="8.8", sm="103a 107a"),
    ),
)

CP_FENCEPROXY = Family(
    "tensormap.cp_fenceproxy",
    "Copy a tensor map to global memory and order the copy before later tensor copies that use it.",
    manual="parallel-synchronization-and-communication-instructions-tensormap-cp-fenceproxy",
    effects=Effects(memory="rw", space="global", collective="warp", barrier=True),
    forms=(
        Form(
            "tensormap.cp_fenceproxy.dst.src.tensormap::generic.release.scope.sync.aligned [dst_map], [src_map], size",
            slots={"dst": "global", "src": "shared::cta", "scope": "cta cluster gpu sys"},
            args={
                "dst_map": Arg(space="global", access="w"),
                "src_map": Arg(space="shared"),
                "size": Arg(type="u32", reg=False, values=(128,)),
            },
            ptx="8.3",
            sm="90+",
        ),
    ),
)

FAMILIES = (REPLACE, CP_FENCEPROXY)
