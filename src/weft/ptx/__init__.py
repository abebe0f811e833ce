"""The PTX language: syntax tree, parser, printer, formatter, verifier, requirements, diff.

Each name is loaded from its file when it is first used; `weft.ptx.build` makes modules by hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft import lazily

if TYPE_CHECKING:
    from weft.ptx.ast import Block as Block
    from weft.ptx.ast import Function as Function
    from weft.ptx.ast import Guard as Guard
    from weft.ptx.ast import Instruction as Instruction
    from weft.ptx.ast import Label as Label
    from weft.ptx.ast import Module as Module
    from weft.ptx.ast import Parameter as Parameter
    from weft.ptx.ast import PointerAttribute as PointerAttribute
    from weft.ptx.ast import RegisterDeclaration as RegisterDeclaration
    from weft.ptx.ast import Section as Section
    from weft.ptx.ast import Statement as Statement
    from weft.ptx.ast import Variable as Variable
    from weft.ptx.debug_nodes import Data as Data
    from weft.ptx.debug_nodes import LabelSum as LabelSum
    from weft.ptx.difference import diff as diff
    from weft.ptx.directive_nodes import Alias as Alias
    from weft.ptx.directive_nodes import Attribute as Attribute
    from weft.ptx.directive_nodes import CallPrototype as CallPrototype
    from weft.ptx.directive_nodes import Directive as Directive
    from weft.ptx.directive_nodes import DwarfLine as DwarfLine
    from weft.ptx.directive_nodes import File as File
    from weft.ptx.directive_nodes import FunctionDirective as FunctionDirective
    from weft.ptx.directive_nodes import Inlined as Inlined
    from weft.ptx.directive_nodes import LabelledDirective as LabelledDirective
    from weft.ptx.directive_nodes import Loc as Loc
    from weft.ptx.directive_nodes import Pragma as Pragma
    from weft.ptx.directive_nodes import SourceLocation as SourceLocation
    from weft.ptx.directive_nodes import Target as Target
    from weft.ptx.directive_nodes import TargetList as TargetList
    from weft.ptx.expressions import Binary as Binary
    from weft.ptx.expressions import Cast as Cast
    from weft.ptx.expressions import Conditional as Conditional
    from weft.ptx.expressions import Parenthesised as Parenthesised
    from weft.ptx.expressions import Unary as Unary
    from weft.ptx.formatter import format_text as format_text
    from weft.ptx.node import Node as Node
    from weft.ptx.operands import Address as Address
    from weft.ptx.operands import Arguments as Arguments
    from weft.ptx.operands import Element as Element
    from weft.ptx.operands import Expression as Expression
    from weft.ptx.operands import Float as Float
    from weft.ptx.operands import Integer as Integer
    from weft.ptx.operands import Negated as Negated
    from weft.ptx.operands import Operand as Operand
    from weft.ptx.operands import Pair as Pair
    from weft.ptx.operands import Register as Register
    from weft.ptx.operands import Sink as Sink
    from weft.ptx.operands import Symbol as Symbol
    from weft.ptx.operands import Vector as Vector
    from weft.ptx.parser import parse as parse
    from weft.ptx.printer import print_module as print_module
    from weft.ptx.renaming import declared_names as declared_names
    from weft.ptx.renaming import rename as rename
    from weft.ptx.requirements import requires as requires
    from weft.ptx.rewriting import Edit as Edit
    from weft.ptx.rewriting import clone as clone
    from weft.ptx.rewriting import edit as edit
    from weft.ptx.rewriting import fresh_name as fresh_name
    from weft.ptx.rewriting import statements as statements
    from weft.ptx.tree_json import from_json as from_json
    from weft.ptx.values import AddressByte as AddressByte
    from weft.ptx.values import Field as Field
    from weft.ptx.values import GenericAddress as GenericAddress
    from weft.ptx.values import Value as Value
    from weft.ptx.values import ValueList as ValueList
    from weft.ptx.values import Word as Word
    from weft.ptx.values import symbols as symbols
    from weft.ptx.verifier import verify as verify
    from weft.ptx.visit import children as children
    from weft.ptx.visit import replace_operands as replace_operands
    from weft.ptx.visit import walk as walk

_HOME = {
    "Address": "weft.ptx.operands",
    "AddressByte": "weft.ptx.values",
    "Alias": "weft.ptx.directive_nodes",
    "Arguments": "weft.ptx.operands",
    "Attribute": "weft.ptx.directive_nodes",
    "Binary": "weft.ptx.expressions",
    "Block": "weft.ptx.ast",
    "CallPrototype": "weft.ptx.directive_nodes",
    "Cast": "weft.ptx.expressions",
    "Conditional": "weft.ptx.expressions",
    "Data": "weft.ptx.debug_nodes",
    "Directive": "weft.ptx.directive_nodes",
    "DwarfLine": "weft.ptx.directive_nodes",
    "Edit": "weft.ptx.rewriting",
    "Element": "weft.ptx.operands",
    "Expression": "weft.ptx.operands",
    "Field": "weft.ptx.values",
    "File": "weft.ptx.directive_nodes",
    "Float": "weft.ptx.operands",
    "Function": "weft.ptx.ast",
    "FunctionDirective": "weft.ptx.directive_nodes",
    "GenericAddress": "weft.ptx.values",
    "Guard": "weft.ptx.ast",
    "Inlined": "weft.ptx.directive_nodes",
    "Instruction": "weft.ptx.ast",
    "Integer": "weft.ptx.operands",
    "Label": "weft.ptx.ast",
    "LabelSum": "weft.ptx.debug_nodes",
    "LabelledDirective": "weft.ptx.directive_nodes",
    "Loc": "weft.ptx.directive_nodes",
    "Module": "weft.ptx.ast",
    "Negated": "weft.ptx.operands",
    "Node": "weft.ptx.node",
    "Operand": "weft.ptx.operands",
    "Pair": "weft.ptx.operands",
    "Parameter": "weft.ptx.ast",
    "Parenthesised": "weft.ptx.expressions",
    "PointerAttribute": "weft.ptx.ast",
    "Pragma": "weft.ptx.directive_nodes",
    "Register": "weft.ptx.operands",
    "RegisterDeclaration": "weft.ptx.ast",
    "Section": "weft.ptx.ast",
    "Sink": "weft.ptx.operands",
    "SourceLocation": "weft.ptx.directive_nodes",
    "Statement": "weft.ptx.ast",
    "Symbol": "weft.ptx.operands",
    "Target": "weft.ptx.directive_nodes",
    "TargetList": "weft.ptx.directive_nodes",
    "Unary": "weft.ptx.expressions",
    "Value": "weft.ptx.values",
    "ValueList": "weft.ptx.values",
    "Variable": "weft.ptx.ast",
    "Vector": "weft.ptx.operands",
    "Word": "weft.ptx.values",
    "children": "weft.ptx.visit",
    "clone": "weft.ptx.rewriting",
    "declared_names": "weft.ptx.renaming",
    "diff": "weft.ptx.difference",
    "edit": "weft.ptx.rewriting",
    "format_text": "weft.ptx.formatter",
    "fresh_name": "weft.ptx.rewriting",
    "from_json": "weft.ptx.tree_json",
    "parse": "weft.ptx.parser",
    "print_module": "weft.ptx.printer",
    "rename": "weft.ptx.renaming",
    "replace_operands": "weft.ptx.visit",
    "requires": "weft.ptx.requirements",
    "statements": "weft.ptx.rewriting",
    "symbols": "weft.ptx.values",
    "verify": "weft.ptx.verifier",
    "walk": "weft.ptx.visit",
}

__getattr__, __dir__ = lazily.named(__name__, _HOME)
