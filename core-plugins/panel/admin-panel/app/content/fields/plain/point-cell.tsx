import { pointText } from '../../schema/points.ts'

/** A place in a list. */
export const PointCell = ({ value }: { readonly value: unknown }) => <span>{pointText(value)}</span>
