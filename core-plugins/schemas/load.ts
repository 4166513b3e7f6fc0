import { StartupError, type StartupProblem } from '../../kernel/index.ts'
import { checkDrafts } from './check.ts'
import type { FieldTypes } from './field-type.ts'
import { builtInFieldTypes } from './field-types/built-in.ts'
import { type FileProblem, inFile } from './file-problem.ts'
import { buildSchemas } from './model.ts'
import { type KnownTypes, readComponentDraft, readExtension, readTypeDraft } from './read-source.ts'
import type { ComponentDraft, Drafts, SchemaFile, SchemaSource } from './schema-source.ts'
import type { Schemas } from './schemas-service.ts'
import { draftSystemTypes, isCoreAttribute, systemTypeNames } from './system-types.ts'

/** What the files declare together, and all their problems. */
interface LoadedDrafts {
  readonly drafts: Drafts
  readonly problems: readonly StartupProblem[]
}

/** Options for reading schema files. */
export interface LoadOptions {
  /** Default: the built-in ones. */
  readonly fieldTypes?: FieldTypes
  /** Switched-off plugins by name, each with the reason. */
  readonly switchedOff?: ReadonlyMap<string, string>
  /** Content types that have drafts regardless of their file. */
  readonly endingDrafts?: ReadonlySet<string>
}

/**
 * Builds the model from the files of a schemas directory.
 * @throws StartupError with the given problems and those of all files
 */
export function loadSchemas(
  files: readonly SchemaFile[],
  known: readonly StartupProblem[] = [],
  { fieldTypes = builtInFieldTypes, switchedOff = new Map(), endingDrafts }: LoadOptions = {},
): Schemas {
  const { drafts, problems } = readDrafts(files, { fieldTypes, switchedOff })
  const all = [...known, ...problems, ...checkDrafts(drafts)]
  if (all.length > 0) throw new StartupError('The schema files cannot be used:', all)
  return buildSchemas(drafts, endingDrafts)
}

function readDrafts(files: readonly SchemaFile[], known: KnownTypes): LoadedDrafts {
  const types = draftSystemTypes()
  const components = new Map<string, ComponentDraft>()
  const problems: StartupProblem[] = []
  const report = (path: string, found: readonly FileProblem[]) =>
    problems.push(...found.map((problem) => inFile(path, problem)))
  for (const file of files) {
    if (file.kind === 'component') {
      const { draft, problems } = readComponentDraft(file, known)
      components.set(draft.uid, draft)
      report(file.path, problems)
    } else if (file.kind === 'extension') {
      report(file.path, extend(types, file, known))
    } else if (systemTypeNames.includes(file.name)) {
      report(file.path, [systemTypeRedeclared(file.name)])
    } else {
      const { draft, problems } = readTypeDraft(file, known)
      types.set(draft.name, draft)
      report(file.path, problems)
    }
  }
  return { drafts: { types, components, fieldTypes: known.fieldTypes }, problems }
}

function systemTypeRedeclared(name: string): FileProblem {
  return {
    at: '',
    message: `declares ${name}, which is built in`,
    remedy: `name the type otherwise, or extend ${name} by ${name}.extension.json`,
  }
}

/** Adds the attributes of an extension to its system type. */
function extend(
  types: Map<string, SchemaSource>,
  file: SchemaFile,
  known: KnownTypes,
): readonly FileProblem[] {
  const type = types.get(file.name)
  if (type?.system === undefined) return [notASystemType(file.name)]
  const { attributes, lost, problems } = readExtension(file, known)
  const names = Object.keys(attributes)
  const isCore = (name: string) => isCoreAttribute(file.name, name)
  const added = names.filter((name) => !isCore(name)).map((name) => [name, attributes[name]])
  types.set(file.name, {
    ...type,
    path: file.path,
    lost,
    content: {
      ...type.content,
      attributes: { ...type.content.attributes, ...Object.fromEntries(added) },
    },
  })
  return [...problems, ...names.filter(isCore).map((name) => coreAttribute(file.name, name))]
}

function notASystemType(name: string): FileProblem {
  return {
    at: '',
    message: `extends ${name}, which is not built in`,
    remedy: `extend one of ${systemTypeNames.join(', ')}, or declare attributes in ${name}.json`,
  }
}

function coreAttribute(type: string, name: string): FileProblem {
  return {
    at: `attributes.${name}`,
    message: `is built into ${type} and cannot be changed`,
    remedy: 'choose another name',
  }
}
