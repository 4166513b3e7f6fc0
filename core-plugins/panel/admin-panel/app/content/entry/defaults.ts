import type { DescribedType } from '../../ground/api/content-types.ts'
import { firstValueOf } from '../schema/first-value.ts'
import { formFieldsOf } from './form/form-fields.ts'
import type { Entry } from './store/entry-store.ts'

/** The default values of a new entry. */
export const defaultsOf = (type: DescribedType): Entry =>
  Object.fromEntries(formFieldsOf(type).map((attribute) => [attribute.name, firstValueOf(attribute)]))
