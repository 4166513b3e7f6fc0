import type { DescribedAttribute, DescribedType } from '../../../ground/api/content-types.ts'

/** The fields of a type that can be written; the inverse side of a relation is the other type's. */
export const formFieldsOf = ({ attributes }: DescribedType): readonly DescribedAttribute[] =>
  attributes.filter(({ inverse }) => inverse !== true)
