import { type FileProblem, inFile, type SchemaProblem } from './files/file-problem.ts'
import { type KnownTypes, readComponentDraft, readTypeDraft } from './files/read-source.ts'
import type { ComponentDraft, Drafts, SchemaFile, SchemaSource } from './files/schema-source.ts'
import { describeOrigin, type Origin } from './origin.ts'
import type { TypeExtending } from './plugins/extend-by-code.ts'
import { extendByCode } from './plugins/extend-by-code.ts'
import { type Extendable, extendByFile } from './plugins/extend-by-file.ts'
import { checkOwnComponentName, checkOwnTypeNames } from './plugins/own-names.ts'
import { draftSystemTypes } from './plugins/system-types.ts'

/** All sources of declarations. */
export interface Declared extends KnownTypes {
  /** Files of the project first: if two declare the same name, the first one counts. */
  readonly files: readonly SchemaFile[]
  readonly typeExtensions: readonly TypeExtending[]
}

/** The result of all declarations together, and the problems found in each of them. */
export interface DeclaredDrafts {
  readonly drafts: Drafts
  readonly problems: readonly SchemaProblem[]
}

/** Applies types and components first, then files that extend them, then plugins that do so by code. */
export function declareDrafts({ files, typeExtensions, ...known }: Declared): DeclaredDrafts {
  const problems: SchemaProblem[] = []
  const report = (origin: Origin, found: readonly FileProblem[]) =>
    problems.push(...found.map((problem) => inFile(origin, problem)))
  const types = draftSystemTypes()
  const components = new Map<string, ComponentDraft>()
  for (const file of files) {
    if (file.kind === 'content-type') report(file, declareType(file, types, known))
    if (file.kind === 'component') report(file, declareComponent(file, components, known))
  }
  const drafts = { types, components, ...known }
  for (const file of files) {
    if (file.kind === 'extension') report(file, extendByFile(file, types, drafts))
    if (file.kind === 'component-extension') report(file, extendByFile(file, components, drafts))
  }
  problems.push(...extendByCode(typeExtensions, drafts))
  return { drafts, problems }
}

function declareType(file: SchemaFile, types: Map<string, SchemaSource>, known: KnownTypes): FileProblem[] {
  const taken = types.get(file.name)
  if (taken !== undefined) return [declaredTwice(file, taken, `${file.name}.extension.json`)]
  const { draft, problems } = readTypeDraft(file, known)
  types.set(draft.name, draft)
  return [...problems, ...checkOwnTypeNames(draft)]
}

function declareComponent(
  file: SchemaFile,
  components: Map<string, ComponentDraft>,
  known: KnownTypes,
): FileProblem[] {
  const taken = components.get(file.name)
  if (taken !== undefined) return [declaredTwice(file, taken, `components/${file.name}.extension.json`)]
  const { draft, problems } = readComponentDraft(file, known)
  components.set(draft.uid, draft)
  return [...problems, ...checkOwnComponentName(draft)]
}

function declaredTwice({ name }: SchemaFile, { origin, ...taken }: Extendable, file: string): FileProblem {
  const isBuiltIn = 'system' in taken && taken.system !== undefined
  const owner = isBuiltIn ? 'which is built in' : `as ${describeOrigin(origin)} does`
  return {
    at: '',
    message: `declares ${name}, ${owner}`,
    remedy: `choose another name, or extend ${name} by ${file}`,
  }
}
