import ts from "typescript";

/** A regular expression as a source file writes it. */
export interface WrittenPattern {
  readonly file: string;
  readonly line: number;
  readonly source: string;
  readonly flags: string;
}

/**
 * Every regular expression a TypeScript file writes: literals, and what `new RegExp` is given. A value put into a
 * template stands for a letter; a pattern nothing is known of is an error, so that none goes unread.
 */
export function patternsIn(file: string, text: string): WrittenPattern[] {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
  const constants = constantsIn(tree);
  const found: WrittenPattern[] = [];
  const visit = (node: ts.Node): void => {
    const { line } = tree.getLineAndCharacterOfPosition(node.getStart(tree));
    if (ts.isRegularExpressionLiteral(node)) found.push({ file, line: line + 1, ...partsOf(node.text) });
    if (isRegExpCall(node)) {
      const written = writtenIn(node.arguments?.[0], constants);
      if (written === null)
        throw new Error(`${file}:${line + 1}: this pattern cannot be read from the source.`);
      found.push({
        file,
        line: line + 1,
        source: written,
        flags: writtenIn(node.arguments?.[1], constants) ?? "",
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

const isRegExpCall = (node: ts.Node): node is ts.NewExpression | ts.CallExpression =>
  (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
  ts.isIdentifier(node.expression) &&
  node.expression.text === "RegExp";

function partsOf(literal: string): { source: string; flags: string } {
  const end = literal.lastIndexOf("/");
  return { source: literal.slice(1, end), flags: literal.slice(end + 1) };
}

/** Constants of a file by name, with what they are made of. */
function constantsIn(tree: ts.SourceFile): ReadonlyMap<string, ts.Expression> {
  const constants = new Map<string, ts.Expression>();
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
      constants.set(node.name.text, node.initializer);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return constants;
}

const standIn = "a";

function writtenIn(
  node: ts.Expression | undefined,
  constants: ReadonlyMap<string, ts.Expression>,
): string | null {
  if (!node) return null;
  if (ts.isRegularExpressionLiteral(node)) return partsOf(node.text).source;
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === "String.raw")
    return templateText(node.template, constants, true);
  if (ts.isTemplateExpression(node)) return templateText(node, constants, false);
  if (ts.isPropertyAccessExpression(node) && node.name.text === "source")
    return writtenIn(node.expression, constants);
  if (ts.isIdentifier(node)) return writtenIn(constants.get(node.text), constants);
  return null;
}

function templateText(
  template: ts.TemplateLiteral,
  constants: ReadonlyMap<string, ts.Expression>,
  raw: boolean,
): string {
  const text = (part: ts.TemplateLiteralLikeNode): string => (raw ? (part.rawText ?? part.text) : part.text);
  if (ts.isNoSubstitutionTemplateLiteral(template)) return text(template);
  return template.templateSpans.reduce(
    (written, { expression, literal }) =>
      written + (writtenIn(expression, constants) ?? standIn) + text(literal),
    text(template.head),
  );
}
