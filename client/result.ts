import type { FieldsShape } from './shape.ts'

/** Names of fields that answers always contain; others are present only if populated. */
export type FieldName<Shape extends FieldsShape> = Exclude<keyof Shape['entry'], InverseName<Shape>> & string

type InverseName<Shape extends FieldsShape> = {
  [Name in keyof Shape['references']]: Shape['references'][Name] extends { readonly inverse: true }
    ? Name
    : never
}[keyof Shape['references']]

/** What to populate in a field: `undefined` for nothing. */
type Inside<Shape extends FieldsShape, Populated, Name> = Populated extends '*'
  ? Name extends keyof Shape['references']
    ? true
    : undefined
  : Name extends keyof Populated
    ? Populated[Name]
    : undefined

/** Populated references are returned whatever `fields` says. */
type PopulatedName<Shape extends FieldsShape, Populated> = {
  [Name in keyof Shape['references']]: Inside<Shape, Populated, Name> extends undefined ? never : Name
}[keyof Shape['references']]

/**
 * An entry as the service returns it: ids for references, objects for populated ones; only the requested
 * fields.
 */
export type Result<
  Shape extends FieldsShape,
  Populated = undefined,
  Fields extends FieldName<Shape> = FieldName<Shape>,
> = Flat<
  {
    // Preserves optionality.
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
  } & Totals<Populated>
>

/** The numbers of entries in relations populated with `$total`. A middleware that removes all populated entries of a field removes its
 * number, too. */
type Totals<Populated> = [CountedName<Populated>] extends [never]
  ? unknown
  : { _totals?: { [Name in CountedName<Populated>]?: number } }

type CountedName<Populated> = {
  [Name in keyof Populated]: Populated[Name] extends { readonly $total: true } ? Name : never
}[keyof Populated]

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
      ? Result<Of, Inside, ChosenName<Of, Inside>>[]
      : Result<Of, Inside, ChosenName<Of, Inside>> | null
  : never

/** All fields, unless `$fields` chooses. */
type ChosenName<Of extends FieldsShape, Inside> = Inside extends {
  readonly $fields: readonly (infer Chosen)[]
}
  ? Extract<Chosen, FieldName<Of>>
  : FieldName<Of>

/** Components stay in the structure of the generated type: alone, in a list, or absent. */
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
