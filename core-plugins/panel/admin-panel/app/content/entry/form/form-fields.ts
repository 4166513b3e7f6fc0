import type { DescribedAttribute, DescribedType } from '../../../ground/api/content-types.ts'

/** The fields of a type that can be written: inverse sides of relations are left out, since the other type owns them. */
export const formFieldsOf = ({ attributes }: DescribedType): readonly DescribedAttribute[] =>
  attributes.filter(({ inverse }) => inverse !== true)
