import type { Access } from '../../ground/access/access.ts'
import type { DescribedType } from '../../ground/api/content-types.ts'

/** Whether changes of public entries of a type wait in drafts beside them. */
export const hasDraftsBeside = ({ options }: DescribedType, access: Access): boolean =>
  options.draftOverlay === true && access.isOn('drafts')
