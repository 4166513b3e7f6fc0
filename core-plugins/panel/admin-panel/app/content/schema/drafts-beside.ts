import type { Access } from '../../ground/access/access.ts'
import type { DescribedType } from '../../ground/api/content-types.ts'

/** Whether changes to public entries of a type are stored in separate drafts. */
export const hasDraftsBeside = ({ options }: DescribedType, access: Access): boolean =>
  options.draftOverlay === true && access.isOn('drafts')
