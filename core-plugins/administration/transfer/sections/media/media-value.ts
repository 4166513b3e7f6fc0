import { Type } from 'typebox'
import { AppError, bodyValidator, strict, whenNeeded } from '../../../../foundation/http/http.ts'
import type { ContentType, Schemas } from '../../../../foundation/schemas/schemas.ts'
import { type ItemFile, type ItemName, nameOf, type Value } from '../../../../foundation/sections/sections.ts'

/** The part of a file that is transferred. `data` is its metadata, with keys instead of references. */
export interface MediaValue extends Value {
  readonly file: ItemFile
  readonly data: Value
}

/** Stands for the hash of a file that the storage has lost. */
export const lost = '0'.repeat(64)

/** Fields that each environment computes itself, and those contained in `file`. */
const ownFields: readonly string[] = [
  ...['filename', 'originalName', 'mimeType', 'size', 'url'],
  ...['width', 'height', 'formats', 'placeholder'],
]

/** The type of files or folders, reduced to the attributes that people fill in. */
export function describedType({ allTypes }: Schemas, name: 'media' | 'media-folder'): ContentType {
  const type = allTypes.get(name)
  if (type === undefined) throw new Error(`there is no type ${name}`)
  const attributes = [...type.attributes].filter(([attribute]) => !ownFields.includes(attribute))
  return { ...type, attributes: new Map(attributes) }
}

const fileSchema = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 255 }),
    hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    size: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  },
  strict,
)

const checkFile = whenNeeded(() =>
  bodyValidator(Type.Object({ file: fileSchema, data: Type.Object({}) }, strict)),
)
const checkFolder = whenNeeded(() => bodyValidator(Type.Object({ data: Type.Object({}) }, strict)))
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

type ItemWithValue = ItemName & { readonly value: Value }

/** @throws AppError 400 */
export const assertMediaForm = (item: ItemWithValue) => assertForm(item, checkFile)

/** @throws AppError 400 */
export const assertFolderForm = (item: ItemWithValue) => assertForm(item, checkFolder)

function assertForm({ value, ...item }: ItemWithValue, check: typeof checkFile): void {
  if (!uuid.test(item.key)) {
    throw AppError.invalid([{ path: nameOf(item), code: 'format', message: 'must be known by a UUID' }])
  }
  const own = ownFields.find((field) => Object.hasOwn(Object(value.data), field))
  const madeHere = { path: `data.${own}`, code: 'unknown', message: 'is made by each environment itself' }
  const [problem = own === undefined ? undefined : madeHere] = check(value)
  if (problem === undefined) return
  throw AppError.invalid([{ ...problem, path: `${nameOf(item)}.${problem.path}` }])
}
