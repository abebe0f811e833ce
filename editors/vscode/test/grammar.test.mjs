// The grammars in the engine that editors use: what the words of a line are called.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import test from "node:test";
import assert from "node:assert/strict";
import oniguruma from "vscode-oniguruma";
import textmate from "vscode-textmate";

const require = createRequire(import.meta.url);
const wasm = await readFile(require.resolve("vscode-oniguruma/release/onig.wasm"));
await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));

const files = {
  "source.ptx": "ptx.tmLanguage.json",
  "inline.ptx": "inline-ptx.tmLanguage.json",
  "source.mlir": "mlir.tmLanguage.json",
  "source.nvsass": "nvsass.tmLanguage.json",
};
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async (scope) => {
    const path = new URL(`../syntaxes/${files[scope]}`, import.meta.url);
    return textmate.parseRawGrammar(await readFile(path, "utf8"), path.pathname);
  },
});

async function words(scope, line) {
  const grammar = await registry.loadGrammar(scope);
  const { tokens } = grammar.tokenizeLine(line, textmate.INITIAL);
  return new Map(tokens.map((token) => [line.slice(token.startIndex, token.endIndex), token.scopes.at(-1)]));
}

test("an instruction", async () => {
  const found = await words("source.ptx", "\t@!%p1 ld.global.v4.f32 {%f1, %f2}, [%rd1+16]; // x");
  assert.equal(found.get("ld"), "keyword.operator.opcode.ptx");
  assert.equal(found.get(".global"), "support.constant.modifier.ptx");
  assert.equal(found.get(".f32"), "storage.type.ptx");
  assert.equal(found.get("%rd1"), "variable.other.register.ptx");
  assert.equal(found.get("16"), "constant.numeric.ptx");
  assert.equal(found.get("// x"), "comment.line.double-slash.ptx");
});

test("modifiers with digits and colons", async () => {
  const line = "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [x], [y, {%r1}], [z];";
  const found = await words("source.ptx", line);
  assert.equal(found.get(".2d"), "support.constant.modifier.ptx");
  assert.equal(found.get(".shared::cluster"), "support.constant.modifier.ptx");
});

test("declarations, labels and special registers", async () => {
  assert.equal((await words("source.ptx", "$L__BB0_1:")).get("$L__BB0_1"), "entity.name.label.ptx");
  const found = await words("source.ptx", ".visible .entry gemm(.param .u64 p)");
  assert.equal(found.get("gemm"), "entity.name.function.ptx");
  assert.equal(found.get(".u64"), "storage.type.ptx");
  const special = await words("source.ptx", "mov.u32 %r1, %tid.x;");
  assert.equal(special.get("%tid.x"), "variable.language.ptx");
});

test("inside of a string", async () => {
  const found = await words("inline.ptx", "{ .reg .b32 t; add.u32 %0, %[a], t; }");
  assert.equal(found.get("add"), "keyword.operator.opcode.ptx");
  assert.equal(found.get("%0"), "variable.parameter.operand.ptx");
  assert.equal(found.get("%[a]"), "variable.parameter.operand.ptx");
});

test("MLIR", async () => {
  const found = await words("source.mlir", "%v = memref.load @x[%i] {a = 16 : i64} : memref<?x4xf32, #shared> // y");
  assert.equal(found.get("%v"), "variable.other.mlir");
  assert.equal(found.get("memref.load"), "keyword.other.mlir");
  assert.equal(found.get("memref"), "storage.type.mlir");
  assert.equal(found.get("f32"), "storage.type.mlir");
  assert.equal(found.get("#shared"), "entity.name.type.mlir");
  assert.equal(found.get("// y"), "comment.line.double-slash.mlir");
});

test("machine code", async () => {
  const found = await words("source.nvsass", "0040  B-1----:R-:W-:-:S02  4  @P0 LDG.E R3, [R4.64+0x10]");
  assert.equal(found.get("B-1----:R-:W-:-:S02"), "comment.line.control.nvsass");
  assert.equal(found.get("LDG"), "keyword.other.nvsass");
  assert.equal(found.get("R3"), "variable.other.nvsass");
  assert.equal(found.get("0x10"), "constant.numeric.nvsass");
});
