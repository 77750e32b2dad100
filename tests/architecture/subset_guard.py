"""Finds what CPython runs and MicroPython does not, in code that both must run (protocol, firmware)."""

import ast

# Absent from MicroPython's boards, or present under another contract.
_MODULES = {
    "typing", "dataclasses", "enum", "abc", "contextlib", "functools", "itertools", "pathlib", "datetime",
    "threading", "logging", "queue", "hmac", "secrets", "zlib", "decimal", "fractions", "random", "weakref",
}  # fmt: skip


def subset_breaks(source: str) -> list[str]:
    """One sentence per construct outside the shared subset; empty when both Pythons can run the source."""
    tree = _WithoutTypeChecking().visit(ast.parse(source))
    return [f"line {line}: {reason}" for line, reason in sorted(_breaks(tree))]


class _WithoutTypeChecking(ast.NodeTransformer):
    """Drops `if TYPE_CHECKING:` blocks: neither Python runs them, only mypy reads them."""

    def visit_If(self, node: ast.If) -> ast.AST | None:
        self.generic_visit(node)
        return None if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING" else node


def _breaks(tree: ast.AST) -> set[tuple[int, str]]:
    found: set[tuple[int, str]] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                found.update((node.lineno, f"no {n.name} on a board") for n in names if _root(n.name) in _MODULES)
            case ast.ImportFrom(module=str(module)) if _root(module) in _MODULES:
                found.add((node.lineno, f"no {module} on a board"))
            case ast.Match():
                found.add((node.lineno, "no match statement in MicroPython"))
            case ast.TryStar():
                found.add((node.lineno, "no except* in MicroPython"))
            case ast.arguments(posonlyargs=[first, *_]):
                found.add((first.lineno, "no positional-only parameters in MicroPython"))
            case ast.AsyncFunctionDef():
                if any(isinstance(inner, ast.Yield) for inner in ast.walk(node)):
                    found.add((node.lineno, "no async generators in MicroPython"))
            case ast.Constant(value=float()):
                found.add((node.lineno, "floats are 32-bit on boards; use integers"))
            case ast.BinOp(op=ast.Div()):
                found.add((node.lineno, "`/` gives a float, 32-bit on boards; use //"))
            case _:
                pass
    return found


def _root(module: str) -> str:
    return module.split(".", 1)[0]
