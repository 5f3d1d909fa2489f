import ts from "typescript";

/** A place where a failure becomes an answer without a look at what failed. */
export interface Swallowed {
  readonly line: number;
  /** The code, on one line. */
  readonly code: string;
}

/** Whether a function's first parameter is missing or never read. */
function ignoresItsError(handler: ts.FunctionLikeDeclaration): boolean {
  const [parameter] = handler.parameters;
  if (parameter === undefined) return true;
  return ts.isIdentifier(parameter.name) && !mentions(handler.body, parameter.name.text);
}

function mentions(node: ts.Node | undefined, name: string): boolean {
  if (node === undefined) return false;
  if (ts.isIdentifier(node) && node.text === name) return true;
  return ts.forEachChild(node, (child) => mentions(child, name) || undefined) ?? false;
}

/** A handler that only throws again makes another failure of it, and no answer. */
function throwsAgain(body: ts.Node | undefined): boolean {
  return (
    body !== undefined &&
    ts.isBlock(body) &&
    body.statements.length > 0 &&
    ts.isThrowStatement(body.statements[0] as ts.Statement)
  );
}

/** `promise.catch(() => {})` on a promise that somebody else awaits only keeps it from ending the process. */
function onlyQuiets(asked: ts.Expression, handler: ts.Expression | undefined): boolean {
  if (!ts.isIdentifier(asked) || handler === undefined || !ts.isArrowFunction(handler)) return false;
  const text = handler.body.getText();
  return text === "{}" || text === "undefined";
}

/** Whether something outside of the program is asked: parsing a text can fail in one way alone. */
function asksOutside(node: ts.Node): boolean {
  if (ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier)) return true;
  if (ts.isFunctionLike(node)) return false;
  if (ts.isCallExpression(node)) {
    const called = node.expression.getText();
    if (/(?<!zip|flate|ompress)Sync$/.test(called) || called === "process.kill") return true;
  }
  return ts.forEachChild(node, (child) => asksOutside(child) || undefined) ?? false;
}

/** Functions that only wait: their one failure is the end of the waiting. */
function waitingFunctions(file: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement)) continue;
    if ((statement.moduleSpecifier as ts.StringLiteral).text !== "node:timers/promises") continue;
    const bindings = statement.importClause?.namedBindings;
    if (bindings && ts.isNamedImports(bindings))
      for (const { name } of bindings.elements) names.add(name.text);
  }
  return names;
}

function namedFunctions(file: ts.SourceFile): ReadonlyMap<string, ts.FunctionLikeDeclaration> {
  const found = new Map<string, ts.FunctionLikeDeclaration>();
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionDeclaration(node) && node.name) found.set(node.name.text, node);
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
      if (ts.isArrowFunction(node.initializer)) found.set(node.name.text, node.initializer);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Every catch, and every question whether a file exists, that turns any failure into one answer. */
export function swallowedIn(name: string, text: string): Swallowed[] {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.ESNext, true);
  const waiting = waitingFunctions(file);
  const named = namedFunctions(file);
  const found: Swallowed[] = [];
  const note = (node: ts.Node): void => {
    const code = node.getText().replaceAll(/\s+/g, " ");
    found.push({
      line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1,
      code: code.slice(0, 160),
    });
  };
  const isBlind = (handler: ts.Expression | undefined): boolean => {
    if (handler === undefined) return false;
    if (ts.isArrowFunction(handler) || ts.isFunctionExpression(handler))
      return ignoresItsError(handler) && !throwsAgain(handler.body);
    const declared = ts.isIdentifier(handler) ? named.get(handler.text) : undefined;
    return declared !== undefined && ignoresItsError(declared);
  };
  const onlyWaits = (asked: ts.Expression): boolean =>
    ts.isCallExpression(asked) && waiting.has(asked.expression.getText());
  const visit = (node: ts.Node): void => {
    if (ts.isTryStatement(node) && node.catchClause && asksOutside(node.tryBlock)) {
      const { variableDeclaration: error, block } = node.catchClause;
      const isRead = error !== undefined && ts.isIdentifier(error.name) && mentions(block, error.name.text);
      if (!isRead && !throwsAgain(block)) note(node.catchClause);
    }
    if (ts.isCallExpression(node)) {
      const {
        expression,
        arguments: [first, second],
      } = node;
      const method = ts.isPropertyAccessExpression(expression) ? expression.name.text : null;
      const asked = ts.isPropertyAccessExpression(expression) ? expression.expression : null;
      if (method === "catch" && asked && isBlind(first) && !onlyWaits(asked) && !onlyQuiets(asked, first))
        note(node);
      if (method === "then" && isBlind(second)) note(node);
      if (expression.getText() === "existsSync") note(node);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}
