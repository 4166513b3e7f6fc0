import type { FieldsShape } from './shape.ts'

/** Names of fields that answers always have; the others are there when they are populated. */
export type FieldName<Shape extends FieldsShape> = Exclude<keyof Shape['entry'], InverseName<Shape>> & string

type InverseName<Shape extends FieldsShape> = {
  [Name in keyof Shape['references']]: Shape['references'][Name] extends { readonly inverse: true }
    ? Name
    : never
}[keyof Shape['references']]

/** What is to be populated in a field: `undefined` for nothing. */
type Inside<Shape extends FieldsShape, Populated, Name> = Populated extends '*'
  ? Name extends keyof Shape['references']
    ? true
    : undefined
  : Name extends keyof Populated
    ? Populated[Name]
    : undefined

/** References that are populated: they are answered whatever `fields` says. */
type PopulatedName<Shape extends FieldsShape, Populated> = {
  [Name in keyof Shape['references']]: Inside<Shape, Populated, Name> extends undefined ? never : Name
}[keyof Shape['references']]

/**
 * An entry as the service answers it: with ids where fields lead to other entries, and objects where these were
 * populated; of the fields that were asked for.
 */
export type Result<
  Shape extends FieldsShape,
  Populated = undefined,
  Fields extends FieldName<Shape> = FieldName<Shape>,
> = Flat<
  {
    // Kept as they are, optional or not.
    [Name in keyof Shape['entry'] as Name extends
      | Fields
      | 'id'
      | Exclude<PopulatedName<Shape, Populated>, InverseName<Shape>>
      ? Name
      : never]: Value<Shape, Populated, Name>
  } & {
    [Name in InverseName<Shape> as Name extends PopulatedName<Shape, Populated> ? Name : never]: Value<
      Shape,
      Populated,
      Name
    >
  }
>

type Flat<Type> = { [Name in keyof Type]: Type[Name] }

type Value<Shape extends FieldsShape, Populated, Name> = Name extends keyof Shape['references']
  ? ReferenceValue<Shape['references'][Name], Inside<Shape, Populated, Name>>
  : Name extends keyof Shape['parts'] & keyof Shape['entry']
    ? PartValue<Shape['entry'][Name], Shape['parts'][Name], Inside<Shape, Populated, Name>>
    : Name extends keyof Shape['entry']
      ? Shape['entry'][Name]
      : never

type ReferenceValue<Reference, Inside> = Reference extends {
  readonly of: infer Of extends FieldsShape
  readonly many: infer Many
}
  ? Inside extends undefined
    ? Many extends true
      ? number[]
      : number | null
    : Many extends true
      ? Result<Of, Inside>[]
      : Result<Of, Inside> | null
  : never

/** Components stand where the generated type has them: alone, in a list, or not at all. */
type PartValue<Written, Shapes, Inside> = Written extends readonly (infer Item)[]
  ? ItemValue<Item, Shapes, Inside>[]
  : Written extends object
    ? ItemValue<Written, Shapes, Inside>
    : Written

type ItemValue<Item, Shapes, Inside> = Item extends { readonly __component: infer Uid extends keyof Shapes }
  ? Shapes[Uid] extends FieldsShape
    ? Flat<{ __component: Uid } & Result<Shapes[Uid], Inside>>
    : never
  : Shapes[keyof Shapes] extends infer Shape extends FieldsShape
    ? Result<Shape, Inside>
    : never
