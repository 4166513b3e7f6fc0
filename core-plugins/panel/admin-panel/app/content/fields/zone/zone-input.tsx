import { useComponents } from '../../../ground/api/components.ts'
import { Skeleton } from '../../../ground/kit/loading/loading.tsx'
import type { FieldInputProps } from '../../schema/field-kinds.ts'
import { BlockListInput } from '../blocks/block-list-input.tsx'

/** A dynamic zone: blocks of several kinds in any order. */
export default function ZoneInput({ path, attribute, frame }: FieldInputProps) {
  const components = useComponents()
  if (components === undefined) return <Skeleton lines={3} />
  const allowed = attribute.components as readonly string[]
  const field = { path, allowed, isZone: true, min: 0, max: Number.POSITIVE_INFINITY }
  return <BlockListInput path={path} frame={frame} field={field} components={components} />
}
