/*
 * What `npm run mortise -- types` writes about each content type and component, as far as the client needs it. Unions of
 * shapes stand for the components of a dynamic zone.
 */

/** Fields of an entry or component, and where those lead that lead anywhere. */
export interface FieldsShape {
  readonly entry: object
  /** Relations and media, as `Reference`. */
  readonly references: object
  /** Components and dynamic zones: the shapes that may stand there, by uid. */
  readonly parts: object
}

/** A content type. */
export interface TypeShape extends FieldsShape {
  readonly kind: 'collectionType' | 'singleType'
  readonly input: object
  readonly filters: object
}

/** A field that leads to entries. */
export interface Reference {
  readonly of: FieldsShape
  readonly many: boolean
  /** The other side of a relation: there only when it is populated. */
  readonly inverse: boolean
}

/** The names of a union's references, of any member. */
export type ReferenceName<Shape extends FieldsShape> = Shape extends FieldsShape
  ? keyof Shape['references']
  : never

export type PartName<Shape extends FieldsShape> = Shape extends FieldsShape ? keyof Shape['parts'] : never

/** What a reference leads to. */
export type Target<Shape extends FieldsShape, Name> = Shape extends FieldsShape
  ? Name extends keyof Shape['references']
    ? Shape['references'][Name] extends { readonly of: infer Of extends FieldsShape }
      ? Of
      : never
    : never
  : never

/** The components that may stand in a field. */
export type Parts<Shape extends FieldsShape, Name> = Shape extends FieldsShape
  ? Name extends keyof Shape['parts']
    ? Extract<Shape['parts'][Name][keyof Shape['parts'][Name]], FieldsShape>
    : never
  : never
