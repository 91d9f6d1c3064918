import { dirname } from "node:path";
import ts from "typescript5";

/*
 * Looks at what an entry of a package declares as its users see it. TypeScript 7 has no interface
 * for programs, so this reads the sources with the one of TypeScript 5.
 */

/** Something that a user of the entry cannot name, or finds without a word on what it is. */
export interface Finding {
  /** The exported name and the member, as in `Window.undo`. */
  readonly at: string;
  /** The type that no entry exports; absent: there is no docstring. */
  readonly unnamed?: string;
}

/** What is wrong with the declarations of `entry`, where all `entries` may export what it names. */
export function checkEntry(entry: string, entries: readonly string[]): Finding[] {
  const program = ts.createProgram([entry, ...entries], optionsOf(entry));
  const checker = program.getTypeChecker();
  const exported = (path: string): ts.Symbol[] => {
    const file = program.getSourceFile(path);
    const symbol = file === undefined ? undefined : checker.getSymbolAtLocation(file);
    if (symbol === undefined) throw new Error(`${path} is no module`);
    return checker.getExportsOfModule(symbol).map((one) => target(checker, one));
  };
  const isPublic = new Set([entry, ...entries].flatMap(exported));
  return exported(entry).flatMap((symbol) =>
    (symbol.declarations ?? []).flatMap((node) =>
      new Walk(checker, isPublic, symbol.name).of(node),
    ),
  );
}

function optionsOf(entry: string): ts.CompilerOptions {
  const path = ts.findConfigFile(dirname(entry), ts.sys.fileExists, "tsconfig.json");
  if (path === undefined) throw new Error(`${entry} is in no project`);
  const { config } = ts.readConfigFile(path, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(path));
  return { ...options, noEmit: true, composite: false, incremental: false };
}

function target(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** The walk through one exported declaration. */
class Walk {
  readonly #checker: ts.TypeChecker;
  readonly #isPublic: ReadonlySet<ts.Symbol>;
  readonly #name: string;
  readonly #findings: Finding[] = [];

  constructor(checker: ts.TypeChecker, isPublic: ReadonlySet<ts.Symbol>, name: string) {
    this.#checker = checker;
    this.#isPublic = isPublic;
    this.#name = name;
  }

  of(node: ts.Node): Finding[] {
    if (isOutside(node)) return [];
    if (ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node)) {
      for (const clause of node.heritageClauses ?? []) this.#computed(clause);
      for (const member of node.members) this.#member(member);
    } else if (ts.isTypeAliasDeclaration(node)) {
      if (ts.isTypeLiteralNode(node.type)) for (const one of node.type.members) this.#member(one);
      else this.#computed(node.type);
    } else if (ts.isFunctionDeclaration(node)) {
      this.#documented(node, this.#name);
      this.#signature(node, this.#name);
    } else if (ts.isVariableDeclaration(node)) {
      this.#documented(node.parent.parent, this.#name);
      this.#typeOf(node, this.#name);
    }
    return this.#findings;
  }

  #member(member: ts.TypeElement | ts.ClassElement): void {
    const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
    if (ts.getCombinedModifierFlags(member) & hidden) return;
    if (member.name !== undefined && ts.isPrivateIdentifier(member.name)) return;
    const isNew = ts.isConstructorDeclaration(member);
    const at = isNew ? `new ${this.#name}` : `${this.#name}.${member.name?.getText() ?? "[…]"}`;
    // Of several signatures the first says what it is; an error's own fields say it by themselves.
    if (!isOverload(member) && !isNew) this.#documented(member, at);
    if (ts.isPropertySignature(member) || ts.isPropertyDeclaration(member)) {
      this.#typeOf(member, at);
    } else if (ts.isFunctionLike(member)) {
      this.#signature(member, at);
    }
  }

  #documented(node: ts.Node, at: string): void {
    // What a field says that overrides another one is said there.
    const says = ts.getCombinedModifierFlags(node as ts.Declaration) & ts.ModifierFlags.Override;
    if (!says && ts.getJSDocCommentsAndTags(node).length === 0) this.#findings.push({ at });
  }

  #signature(node: ts.SignatureDeclaration, at: string): void {
    for (const one of node.typeParameters ?? []) this.#named(one.constraint, at);
    for (const parameter of node.parameters) this.#typeOf(parameter, at);
    this.#named(node.type, at);
    if (node.type !== undefined || ts.isConstructorDeclaration(node)) return;
    const signature = this.#checker.getSignatureFromDeclaration(node);
    if (signature !== undefined) this.#inferred(signature.getReturnType(), node, at);
  }

  #typeOf(node: ts.HasType, at: string): void {
    if (node.type !== undefined) this.#named(node.type, at);
    else this.#inferred(this.#checker.getTypeAtLocation(node), node, at);
  }

  /** A type that nobody wrote down: as the compiler would write it into the declaration. */
  #inferred(type: ts.Type, node: ts.Node, at: string): void {
    const flags = ts.NodeBuilderFlags.NoTruncation;
    this.#named(this.#checker.typeToTypeNode(type, node, flags), at);
  }

  /** Every type that is named must be exported. */
  #named(node: ts.Node | undefined, at: string): void {
    if (node === undefined) return;
    for (const symbol of this.#namesIn(node)) {
      if (!this.#isPublic.has(symbol)) this.#findings.push({ at, unnamed: symbol.name });
    }
  }

  /** Of a type that is computed, the helpers of its own file are nobody's business. */
  #computed(node: ts.Node): void {
    for (const symbol of this.#namesIn(node)) {
      const isShared = (symbol.declarations ?? []).some((one) =>
        Boolean(ts.getCombinedModifierFlags(one as ts.Declaration) & ts.ModifierFlags.Export),
      );
      if (isShared && !this.#isPublic.has(symbol)) {
        this.#findings.push({ at: this.#name, unnamed: symbol.name });
      }
    }
  }

  #namesIn(node: ts.Node): ts.Symbol[] {
    const found: ts.Symbol[] = [];
    const visit = (inner: ts.Node): void => {
      if (ts.isIdentifier(inner)) {
        const own = (inner as { symbol?: ts.Symbol }).symbol;
        const symbol = own ?? this.#checker.getSymbolAtLocation(inner);
        if (symbol !== undefined) found.push(target(this.#checker, symbol));
      }
      inner.forEachChild(visit);
    };
    visit(node);
    return found.filter(isNamedType);
  }
}

const TYPES = ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias | ts.SymbolFlags.Class;

function isNamedType(symbol: ts.Symbol): boolean {
  const isType = Boolean(symbol.flags & TYPES);
  return isType && !(symbol.declarations ?? []).some(isOutside);
}

/** Declared by the language or by another package. */
function isOutside(node: ts.Node): boolean {
  const file = node.getSourceFile();
  return file.isDeclarationFile || file.fileName.split("/").includes("node_modules");
}

/** A further signature of a method, or its implementation. */
function isOverload(member: ts.TypeElement | ts.ClassElement): boolean {
  const { parent, name } = member;
  if (!ts.isClassLike(parent) || !ts.isMethodDeclaration(member)) return false;
  return parent.members.find((one) => one.name?.getText() === name?.getText()) !== member;
}
