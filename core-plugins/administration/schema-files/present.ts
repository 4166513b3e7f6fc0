import {
  attributeSchema,
  declaredBy,
  type FieldTypes,
  fileSchemas,
  type SchemaProblem,
  type SchemaTexts,
} from '../../foundation/schemas/schemas.ts'
import { type CheckedChanges, maxProblems } from './create-schema-files.ts'
import { pointerTo } from './pointer.ts'

/** The files with their contents; `content` is null for a file that is not valid JSON. */
export function presentFiles({ texts }: SchemaTexts) {
  return [...texts].map(([path, text]) => ({ path, ...declaredBy(path), content: contentOf(text) ?? null }))
}

/** The types that fields can have, each with the JSON Schema of its attributes. */
export function presentFieldTypes(fieldTypes: FieldTypes) {
  return [...fieldTypes.values()].map((type) => ({
    name: type.name,
    description: type.description,
    shape: type.shape,
    schema: attributeSchema(type),
  }))
}

/** The JSON Schemas of files, except for their attributes. */
export const presentedFileSchemas = fileSchemas

/** `label`: the schemas directory in messages. */
export function presentCheck(checked: CheckedChanges, label: string) {
  const { texts, before, after, problems, warnings, sync } = checked
  const contents = new Map(
    [...texts].map(([path, text]) => [path, text === null ? undefined : contentOf(text)]),
  )
  const inFile = (path: string) =>
    contents.has(path) ? contents.get(path) : contentOf(after.texts.get(path))
  const presented = ({ subject, message, remedy = '', place, plugin }: SchemaProblem) => {
    const path = plugin === undefined && place !== undefined ? within(place.path, label) : undefined
    const pointer = path === undefined ? '' : pointerTo(place?.at ?? '', inFile(path))
    return { file: path ?? null, pointer, subject, message, remedy }
  }
  return {
    problems: problems.slice(0, maxProblems).map(presented),
    warnings: warnings.slice(0, maxProblems).map(presented),
    sync,
    files: [...texts].map(([path, text]) => ({ path, before: before.texts.get(path) ?? null, after: text })),
  }
}

function within(path: string, label: string): string | undefined {
  return path.startsWith(`${label}/`) ? path.slice(label.length + 1) : undefined
}

function contentOf(text = ''): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}
