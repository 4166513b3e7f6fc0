import type { DescribedType } from '../../ground/api/content-types.ts'

/** The state of an entry, by its name. */
export const stateNamed = ({ workflow }: Pick<DescribedType, 'workflow'>, name: unknown) =>
  workflow?.states.find((state) => state.name === name)
