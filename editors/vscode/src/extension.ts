// The client: starts `weft lsp`, and shows what the server's commands return. All knowledge of PTX is in the server.

import { execFile } from "node:child_process";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, type ServerOptions } from "vscode-languageclient/node";

const SCHEME = "weft-sass";
const CPP = ["c", "cpp", "cuda", "cuda-cpp"];
let client: LanguageClient | undefined;
let asked = "";

function configured<T>(name: string, otherwise: T): T {
  return vscode.workspace.getConfiguration("weft").get<T>(name, otherwise);
}

async function start(): Promise<void> {
  const [command, ...args] = configured("command", ["weft"]);
  const server: ServerOptions = { command: command ?? "weft", args: [...args, "lsp", "--stdio"] };
  const languages = ["ptx", "mlir", ...(configured("inlinePtx", true) ? CPP : [])];
  const options: LanguageClientOptions = {
    documentSelector: languages.flatMap((language) => ["file", "untitled"].map((scheme) => ({ scheme, language }))),
    initializationOptions: {
      target: configured("target", ""),
      diagnostics: configured("diagnostics", true),
      disable: configured("disable", [] as string[]),
    },
    synchronize: { configurationSection: "weft" },
  };
  client = new LanguageClient("weft", "weft", server, options);
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    void vscode.window.showErrorMessage(`weft does not start (pip install 'weft[lsp]', weft.command): ${String(error)}`);
  }
}

async function restart(): Promise<void> {
  await client?.stop();
  await start();
}

/** The target to compile a document for: MLIR names none, so the user is asked once a session. */
async function target(document: vscode.TextDocument): Promise<string | undefined> {
  const set = configured("target", "") || asked;
  if (set || document.languageId !== "mlir") return set;
  const prompt = "Target to compile for, such as sm_90a (the setting weft.target keeps it)";
  return (asked = (await vscode.window.showInputBox({ prompt, value: "sm_80" })) ?? "") || undefined;
}

/** Machine code as a read-only document, made anew when it is opened again. */
class MachineCode implements vscode.TextDocumentContentProvider {
  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const [source, wanted] = JSON.parse(uri.query) as [string, string];
    const request = { command: "weft.sass", arguments: [source, wanted] };
    return (await client?.sendRequest<string>("workspace/executeCommand", request)) ?? "";
  }
}

async function showMachineCode(): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (document === undefined) return;
  const wanted = await target(document);
  if (wanted === undefined) return;
  const query = JSON.stringify([document.uri.toString(), wanted]);
  const uri = vscode.Uri.from({ scheme: SCHEME, path: `${document.uri.path}.nvsass`, query });
  const shown = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(shown, { viewColumn: vscode.ViewColumn.Beside, preview: true });
}

async function explore(): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (document === undefined) return;
  const chosen = await target(document);
  if (chosen === undefined) return;
  await document.save();
  const page = join(await mkdtemp(join(tmpdir(), "weft-")), "page.html");
  const [command, ...args] = configured("command", ["weft"]);
  const wanted = [...args, "explore", document.uri.fsPath, "--html", page, ...(chosen ? ["--target", chosen] : [])];
  try {
    await promisify(execFile)(command ?? "weft", wanted);
  } catch (error) {
    void vscode.window.showErrorMessage((error as { stderr?: string }).stderr?.trim().replace(/\nhint: /, "; ") || String(error));
    return;
  }
  const panel = vscode.window.createWebviewPanel("weft", "weft explore", vscode.ViewColumn.Beside, {
    enableScripts: true,
    retainContextWhenHidden: true,
  });
  panel.webview.html = await readFile(page, "utf8");
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, new MachineCode()),
    vscode.commands.registerCommand("weft.restart", restart),
    vscode.commands.registerCommand("weft.showMachineCode", showMachineCode),
    vscode.commands.registerCommand("weft.explore", explore),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
