import type { FieldName } from './result.ts'
import type { FieldsShape, IsMany, PartName, Parts, ReferenceName, Target, TypeShape } from './shape.ts'
import type { Sort } from './sort.ts'

/**
 * What to expand: `{ author: true, categories: { image: true }, blocks: { image: true } }`, or `'*'` for all
 * fields of a level. Fields in components and zones are nested, and options of a field stand beside what is
 * nested in it: `{ comments: { $limit: 5, author: true } }`.
 */
export type Populate<Shape extends FieldsShape> =
  | '*'
  | {
      readonly [Name in ReferenceName<Shape> | PartName<Shape>]?: Name extends ReferenceName<Shape>
        ? true | '*' | (PopulateOptions<Shape, Name> & Populate<Target<Shape, Name>>)
        : Populate<Parts<Shape, Name>>
    }

/** What is asked of a field that is populated. */
type PopulateOptions<Shape extends FieldsShape, Name> =
  IsMany<Shape, Name> extends true ? OptionsOfMany<Target<Shape, Name>> : OptionsOfOne<Target<Shape, Name>>

/** Of relations and media. */
interface OptionsOfOne<Of extends FieldsShape> {
  /** Which fields to return; the id is always included. */
  readonly $fields?: readonly FieldName<Of>[]
  /** What is not matched is null, or missing from the list. */
  readonly $filters?: Of extends TypeShape ? Of['filters'] : never
}

/** Of relations to many, for each entry by itself. */
interface OptionsOfMany<Of extends FieldsShape> extends OptionsOfOne<Of> {
  readonly $sort?: Of extends TypeShape ? Sort<Of> | readonly Sort<Of>[] : never
  readonly $limit?: number
  readonly $offset?: number
  /** Shows how many there are by these filters, whatever the page, as `_totals` of the entry. */
  readonly $total?: boolean
}

/** `never` for unknown names, at any depth, so that the compiler rejects them. */
export type KnownOnly<Given, Shape extends FieldsShape, Option = never> = Given extends true | '*' | undefined
  ? Given
  : {
      readonly [Name in keyof Given]: Name extends Option
        ? Given[Name]
        : Name extends ReferenceName<Shape>
          ? KnownOnly<Given[Name], Target<Shape, Name>, keyof PopulateOptions<Shape, Name>>
          : Name extends PartName<Shape>
            ? KnownOnly<Given[Name], Parts<Shape, Name>>
            : never
    }
