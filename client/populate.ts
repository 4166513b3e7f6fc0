import type { FieldsShape, PartName, Parts, ReferenceName, Target } from './shape.ts'

/**
 * What to expand: `{ author: true, categories: { image: true }, blocks: { image: true } }`, or `'*'` for all
 * fields of a level. Fields in components and zones are nested.
 */
export type Populate<Shape extends FieldsShape> =
  | '*'
  | {
      readonly [Name in ReferenceName<Shape> | PartName<Shape>]?: Name extends ReferenceName<Shape>
        ? true | Populate<Target<Shape, Name>>
        : Populate<Parts<Shape, Name>>
    }

/** `never` for unknown names, at any depth, so that the compiler rejects them. */
export type KnownOnly<Given, Shape extends FieldsShape> = Given extends true | '*' | undefined
  ? Given
  : {
      readonly [Name in keyof Given]: Name extends ReferenceName<Shape>
        ? KnownOnly<Given[Name], Target<Shape, Name>>
        : Name extends PartName<Shape>
          ? KnownOnly<Given[Name], Parts<Shape, Name>>
          : never
    }
