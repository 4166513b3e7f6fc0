import type { FieldName } from './result.ts'
import type { TypeShape } from './shape.ts'

/** Names of fields with values of their own, by which entries can be sorted and grouped. */
export type PlainName<Shape extends TypeShape> = Exclude<
  FieldName<Shape>,
  keyof Shape['references'] | keyof Shape['parts']
>

/** Relations and media that refer to one entry from the side that stores it. */
type ToOneName<References> = {
  [Name in keyof References]: References[Name] extends { readonly many: false; readonly inverse: false }
    ? Name
    : never
}[keyof References] &
  string

/** Value fields of the target of a to-one relation: `author.name`. */
type RelatedName<References> = {
  [Name in ToOneName<References>]: References[Name] extends { readonly of: infer Of extends TypeShape }
    ? `${Name}.${PlainName<Of>}`
    : never
}[ToOneName<References>]

type SortName<Shape extends TypeShape> = PlainName<Shape> | RelatedName<Shape['references']>

/** `title`, `author.name:desc`, or by the distance from somewhere: `place:near:47.3769:8.5417`. */
export type Sort<Shape extends TypeShape> =
  | SortName<Shape>
  | `${SortName<Shape>}:${'asc' | 'desc'}`
  | `${PlainName<Shape>}:near:${number}:${number}${'' | ':asc' | ':desc'}`
