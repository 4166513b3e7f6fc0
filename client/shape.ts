/*
 * The description of each content type and component that `npm run mortise -- types` generates, as far as the
 * client needs it. Unions of shapes represent the components of a dynamic zone.
 */

/** Fields of an entry or component, and what those with a target refer to. */
export interface FieldsShape {
  readonly entry: object
  /** Relations and media, as `Reference`. */
  readonly references: object
  /** Components and dynamic zones: the shapes that they may contain, by uid. */
  readonly parts: object
}

/** A content type. */
export interface TypeShape extends FieldsShape {
  readonly kind: 'collectionType' | 'singleType'
  readonly input: object
  readonly filters: object
}

/** A field that refers to entries. */
export interface Reference {
  readonly of: FieldsShape
  readonly many: boolean
  /** The inverse side of a relation: present only if populated. */
  readonly inverse: boolean
}

/** The reference names of any member of a union. */
export type ReferenceName<Shape extends FieldsShape> = Shape extends FieldsShape
  ? keyof Shape['references']
  : never

export type PartName<Shape extends FieldsShape> = Shape extends FieldsShape ? keyof Shape['parts'] : never

/** What a reference refers to. */
export type Target<Shape extends FieldsShape, Name> = Shape extends FieldsShape
  ? Name extends keyof Shape['references']
    ? Shape['references'][Name] extends { readonly of: infer Of extends FieldsShape }
      ? Of
      : never
    : never
  : never

/** Whether a reference is one to many. */
export type IsMany<Shape extends FieldsShape, Name> = Shape extends FieldsShape
  ? Name extends keyof Shape['references']
    ? Shape['references'][Name] extends { readonly many: true }
      ? true
      : false
    : never
  : never

/** The components that a field may contain. */
export type Parts<Shape extends FieldsShape, Name> = Shape extends FieldsShape
  ? Name extends keyof Shape['parts']
    ? Extract<Shape['parts'][Name][keyof Shape['parts'][Name]], FieldsShape>
    : never
  : never
