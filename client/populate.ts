import type { FieldsShape, PartName, Parts, ReferenceName, Target } from './shape.ts'

/**
 * What to expand: `{ author: true, categories: { image: true }, blocks: { image: true } }`, or `'*'` for all that a level
 * leads to. Fields in components and zones are named inside of them.
 */
export type Populate<Shape extends FieldsShape> =
  | '*'
  | {
      readonly [Name in ReferenceName<Shape> | PartName<Shape>]?: Name extends ReferenceName<Shape>
        ? true | Populate<Target<Shape, Name>>
        : Populate<Parts<Shape, Name>>
    }

/** `never` for names that lead nowhere, at any depth, so that the compiler refuses them. */
export type KnownOnly<Given, Shape extends FieldsShape> = Given extends true | '*' | undefined
  ? Given
  : {
      readonly [Name in keyof Given]: Name extends ReferenceName<Shape>
        ? KnownOnly<Given[Name], Target<Shape, Name>>
        : Name extends PartName<Shape>
          ? KnownOnly<Given[Name], Parts<Shape, Name>>
          : never
    }
