"""Finds what could bring a float into rules or money: literals, true division, float(), round(), math."""

import ast

_CALLS = {"float", "round", "complex"}
_MODULES = {"math", "cmath", "statistics", "numpy"}


def float_risks(source: str) -> list[str]:
    """One sentence per risk, with its line; empty when the source is free of floats."""
    return [f"line {line}: {reason}" for line, reason in sorted(_risks(ast.parse(source)))]


def _risks(tree: ast.AST) -> set[tuple[int, str]]:
    found: set[tuple[int, str]] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=float() | complex()):
                found.add((node.lineno, f"the literal {node.value!r} is not an integer"))
            case ast.BinOp(op=ast.Div()) | ast.AugAssign(op=ast.Div()):
                found.add((node.lineno, "`/` makes a float of two integers; use // or an integer pair"))
            case ast.Call(func=ast.Name(id=name)) if name in _CALLS:
                found.add((node.lineno, f"{name}() brings floats in"))
            case ast.Import(names=names):
                found.update((node.lineno, f"{n.name} computes in floats") for n in names if n.name in _MODULES)
            case ast.ImportFrom(module=str(module)) if module.split(".")[0] in _MODULES:
                found.add((node.lineno, f"{module} computes in floats"))
            case ast.Name(id="float"):
                found.add((node.lineno, "the name float has no place here"))
            case _:
                pass
    return found
