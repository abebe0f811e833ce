"""Roles: which warps of a block do what.

    with role(warps=1, registers=40):            # one warp brings tiles
        ...
    with role(warpgroups=2, registers=232) as group:   # two warpgroups compute
        ...

Warps are given out in the order of the roles, and the block has as many threads as they need.  Roles of whole
warpgroups, and with numbers of registers, begin at a warpgroup; smaller ones of equal `registers` share one.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from dataclasses import field
from typing import TYPE_CHECKING, Any

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, Region

from weft.dataclass import dataclass
from weft.mlir import compile_error
from weft.tile.ids import block_id, warp_id
from weft.tile.machine import cluster_sync, elected, only_if, set_registers
from weft.tile.scalars import Scalar
from weft.tile.trace import Trace, current, error

if TYPE_CHECKING:
    from types import TracebackType

GROUP = 4
"""Warps of a warpgroup."""
REGISTERS = 65536
"""Registers of a multiprocessor, which a block with roles has for itself."""
MOST_WARPS = 32


@dataclass(eq=False)
class Role:
    """Some warps of the block and what they do: `warps` of them from warp `first` on.

    As a context its value is the number of the warpgroup (of a role of warpgroups) or of the warp in the role.
    """

    warps: int
    whole: bool
    registers: int | None
    first: int = 0
    block: Block = field(default_factory=Block)
    leader: bool = False
    """Whether only one block of each pair has it."""
    multiplies: bool = False
    """Whether it starts products of tensor memory."""
    _start: Block = field(default_factory=Block)
    _made: dict[object, Any] = field(default_factory=dict[object, Any])
    _ending: list[Callable[[], None]] = field(default_factory=list[Callable[[], None]])
    _keys: set[object] = field(default_factory=set[object])
    _inside: ExitStack = field(default_factory=ExitStack)
    _branch: Operation | None = None

    def __enter__(self) -> Scalar:
        trace = current()
        team = Team.of(trace)
        if trace.block is not trace.entry:
            raise error("a role must be in the kernel body, not in a loop, a branch or another role")
        team.add(self)
        team.role = self
        self._inside.enter_context(trace.inside(self._start))
        self._inside.enter_context(trace.inside(self.block))
        if self.whole:
            index = warp_id() // GROUP
            return index - self.first // GROUP if self.first else index
        return warp_id() - self.first if self.first else warp_id()

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        if kind is None:
            for end in self._ending:
                end()
            if self.leader:
                self._only_in_leader()
            if current().extra.get("cluster") and not current().ending:
                cluster_sync()  # No block ends before the others are done with its shared memory.
            current().add(scf.YieldOp.create())
            first = self.block.first_op
            assert first is not None
            for op in list(self._start.ops):
                op.detach()
                self.block.insert_ops_before([op], first)
        self._inside.close()
        team = Team.of(current())
        team.role, team.end = None, current().place()

    @property
    def threads(self) -> int:
        """Threads of the role."""
        return 32 * self.warps

    def _only_in_leader(self) -> None:
        """Put what the role does under the condition that the block leads its pair."""
        inside = Block()
        for op in list(self.block.ops):
            op.detach()
            inside.add_op(op)
        inside.add_op(scf.YieldOp.create())
        condition = leads()
        current().add(scf.IfOp.create(operands=[condition.value], regions=[Region([inside]), Region()]))

    def first_elected(self) -> Scalar:
        """Whether the thread is the chosen one of the role's first warp."""
        return self.at_start("leader", self._leader)

    def lane_elected(self) -> Scalar:
        """Whether the thread is the chosen one of its warp."""
        return self.at_start("elected", elected)

    @contextmanager
    def one_lane(self) -> Generator[None]:
        """What the chosen lane of each warp does; together with what it did just before, if nothing stands between
        that others might see.
        """
        trace = current()
        last = self._branch
        if last is None or not _follows(trace.block, last):
            with only_if(self.lane_elected()):
                yield
            self._branch = trace.block.last_op
            return
        last.detach()
        trace.block.add_op(last)
        inside = last.regions[0].blocks[0]
        end = inside.last_op
        assert end is not None
        end.detach()
        with trace.inside(inside):
            yield
        inside.add_op(end)

    def _leader(self) -> Scalar:
        if self.warps == 1:
            return self.lane_elected()
        return self.lane_elected() & (warp_id() == self.first)

    def at_start(self, key: object, build: Callable[[], Any]) -> Any:
        """What is made once at the role's beginning."""
        if key not in self._made:
            with current().back_in(self._start):
                self._made[key] = build()
        return self._made[key]

    def at_end(self, key: object, build: Callable[[], None]) -> None:
        """What is done once at the role's end."""
        if key not in self._keys:
            self._keys.add(key)
            self._ending.append(build)


def _follows(block: Block, branch: Operation) -> bool:
    """Whether only places and numbers were computed in a block since a branch."""
    op = block.last_op
    while op is not None and op is not branch:
        if op.name not in ("tile.address", "tile.subview") and not op.name.startswith("arith."):
            return False
        op = op.prev_op
    return op is branch


def check_pairs() -> None:
    """Raises CompileError unless the blocks of clusters are pairs, along x."""
    x, *others = (*current().extra.get("cluster", ()), 1)
    if x % 2 or any(extent != 1 for extent in others):
        raise error("pairs need a cluster with an even number of blocks along x", "use @weft.kernel(cluster=(2, 1))")


def leads() -> Scalar:
    """Whether the block is the even one of its pair."""
    return block_id(0) % 2 == 0


def leader_rank() -> Any:
    """The rank in the cluster of the block that leads the pair."""
    extent: int = current().extra["cluster"][0]
    return 0 if extent == 2 else block_id(0) % extent // 2 * 2


def role(
    *, warps: int | None = None, warpgroups: int | None = None, registers: int | None = None, leader: bool = False
) -> Role:
    """Warps, or warpgroups, of the block that execute what the `with` contains, and nothing else.

    Args:
        warps: the number of warps.
        warpgroups: the number of warpgroups, instead of warps.
        registers: registers per thread (`setmaxnreg`, sm_90a and later).  The kernel is launched with an equal share
            for all; warpgroups that need fewer release theirs to others.
        leader: only the even block of each pair of a cluster has the role.

    Raises:
        CompileError: neither or both of `warps` and `warpgroups` are given, there are more warps or registers than a
            block has, or a leader in a kernel without pairs.
    """
    if (warps is None) == (warpgroups is None):
        raise error("a role needs a number of warps or of warpgroups", "write role(warps=1) or role(warpgroups=2)")
    count = warps if warps is not None else GROUP * (warpgroups or 0)
    if not isinstance(count, int) or not 1 <= count <= MOST_WARPS:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise error(f"a role must have 1 to {MOST_WARPS} warps", "use a Python integer")
    if registers is not None and (registers % 8 or not 24 <= registers <= 256):
        raise error(f"invalid number of registers {registers}", "use a multiple of 8 from 24 to 256")
    if leader:
        check_pairs()
    return Role(count, warpgroups is not None, registers, leader=leader)


class Team:
    """The roles of the kernel that is traced."""

    def __init__(self) -> None:
        self.roles: list[Role] = []
        self.role: Role | None = None
        self.end: Operation | None = None

    @staticmethod
    def of(trace: Trace) -> Team:
        """The kernel's roles."""
        found = trace.extra.get(Team)
        if found is None:
            found = trace.extra[Team] = Team()
            trace.finish.insert(0, found.check)
            trace.finish.append(found.close)
        return found

    def add(self, one: Role) -> None:
        """Give a role its warps."""
        last = self.roles[-1] if self.roles else None
        end = last.first + last.warps if last is not None else 0
        room = -end % GROUP
        shares = last is not None and last.registers == one.registers and not one.whole and one.warps <= room
        one.first = end if shares else end + room
        if one.first + one.warps > MOST_WARPS:
            raise error(f"the roles have {one.first + one.warps} warps, but a block has at most {MOST_WARPS}")
        self.roles.append(one)
        asked = sum(GROUP * 32 * (r.registers or 0) * len(groups) for r, groups in self._groups())
        if asked > REGISTERS:
            raise error(
                f"the roles need {asked} registers, but a block has {REGISTERS}",
                "give roles that only copy fewer, such as registers=40",
            )

    def _groups(self) -> list[tuple[Role, list[int]]]:
        """The warpgroups that each role is the first one of."""
        seen: set[int] = set()
        found: list[tuple[Role, list[int]]] = []
        for one in self.roles:
            groups = set(range(one.first // GROUP, -(-(one.first + one.warps) // GROUP))) - seen
            seen |= groups
            found.append((one, sorted(groups)))
        return found

    @property
    def threads(self) -> int:
        """Threads of the block: whole warpgroups where some role is of such, or has a number of registers."""
        end = max(one.first + one.warps for one in self.roles)
        whole = any(one.whole or one.registers is not None for one in self.roles)
        return 32 * (end + (-end % GROUP if whole else 0))

    @property
    def entry_registers(self) -> int:
        """Registers that each thread is launched with, where roles change that."""
        return min(255, REGISTERS // self.threads) // 8 * 8

    @property
    def sets_registers(self) -> bool:
        """Whether some role changes its number of registers."""
        return any(one.registers is not None for one in self.roles)

    def check(self) -> None:
        """Refuse what is after a role and in none."""
        last = current().place()
        if last is not None and last is not self.end:
            raise compile_error(last, "no role executes this code after a role", "put it before the roles, or in one")

    def close(self) -> None:
        """Put the roles' code where they stood: one choice after another, by warpgroup, then by warp."""
        runs: list[list[Role]] = []
        for one, groups in self._groups():
            if groups or not runs:
                runs.append([one])
            else:
                runs[-1].append(one)
        self._choose(runs)

    def _choose(self, runs: list[list[Role]]) -> None:
        run, *rest = runs
        if not rest:
            self._run(run)
            return
        trace = current()
        bound = rest[0][0].first
        first, other = Block(), Block()
        with trace.inside(first):
            self._run(run)
            trace.add(scf.YieldOp.create())
        with trace.inside(other):
            self._choose(rest)
            trace.add(scf.YieldOp.create())
        below = warp_id() < bound
        trace.add(scf.IfOp.create(operands=[below.value], regions=[Region([first]), Region([other])]))

    def _run(self, run: list[Role]) -> None:
        """The roles of the same warpgroups."""
        trace = current()
        wanted = run[0].registers
        if wanted is not None and wanted != self.entry_registers:
            set_registers(wanted, increase=wanted > self.entry_registers)
        start = run[0].first
        end = max(one.first + one.warps for one in run)
        for one in run:
            alone = one.warps % GROUP == 0 or (end % GROUP and len(run) == 1 and not self._padded(end))
            if alone and len(run) == 1 and one.first == start:
                last = one.block.last_op
                assert last is not None
                last.detach()
                last.erase()
                trace.splice(one.block)
                continue
            inside = warp_id() < one.first + one.warps
            if one.first > start:
                inside = inside & (warp_id() >= one.first)
            trace.add(scf.IfOp.create(operands=[inside.value], regions=[Region([one.block]), Region()]))

    def _padded(self, end: int) -> bool:
        """Whether the block has warps after the last role's in the same warpgroup."""
        return self.threads > 32 * end


def multiplying_role(*, pair: bool = False) -> Role:
    """The role of one warp that starts products of tensor memory here, for one block or for a pair.

    Raises:
        CompileError: there is none.
    """
    found = Team.of(current()).role
    if found is None or found.warps != 1:
        raise error(
            "a product in tensor memory must be issued by a role of one warp", "put it in `with role(warps=1):`"
        )
    if found.leader and not pair:
        raise error(
            "the leader's role must multiply for the whole pair", "use pair.gemm_async(...), or drop leader=True"
        )
    if pair and not found.leader:
        raise error(
            "the products of a pair must be issued by one of its blocks",
            "put pair.gemm_async(...) in `with role(warps=1, leader=True):`",
        )
    if current().extra.get("tensor memory of pairs", pair) != pair:
        of, other = ("a pair", "blocks alone") if pair else ("a block alone", "pairs")
        raise error(
            f"this product is of {of}, but the kernel's tensor memory is of {other}",
            "use pair=True for all, or for none",
        )
    found.multiplies = True
    return found


__all__ = ["Role", "Team", "multiplying_role", "role"]
