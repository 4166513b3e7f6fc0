import { mergeBlocks } from '../entry/merge/merge-blocks.ts'
import { mergeWhole } from '../entry/merge/merge-values.ts'
import { lazyPart } from '../lazy/lazy-part.ts'
import { BooleanInput } from './plain/boolean-input.tsx'
import { ColorInput } from './plain/color-input.tsx'
import { DateInput, DatetimeInput } from './plain/date-input.tsx'
import { EnumInput } from './plain/enum-input.tsx'
import { NumberInput } from './plain/number-input.tsx'
import { PointCell } from './plain/point-cell.tsx'
import { PointInput } from './plain/point-input.tsx'
import { SlugInput } from './plain/slug-input.tsx'
import { AreaInput, lineInput } from './plain/text-input.tsx'
import { type FieldKind, registerField } from './registry.ts'

/** By the type of the field, or the widget that it asks for. Heavy inputs are loaded when a form has one. */
const builtIn: Readonly<Record<string, FieldKind>> = {
  string: { input: lineInput() },
  email: { input: lineInput('email') },
  text: { input: AreaInput },
  richtext: { input: lazyPart(() => import('./richtext/rich-text-input.tsx')) },
  integer: { input: NumberInput },
  bigint: { input: NumberInput },
  decimal: { input: NumberInput },
  boolean: {
    input: BooleanInput,
    empty: ({ required }) => (required ? false : null),
  },
  enum: { input: EnumInput },
  date: { input: DateInput },
  datetime: { input: DatetimeInput },
  component: {
    input: lazyPart(() => import('./component/component-input.tsx')),
    empty: ({ repeatable }) => (repeatable === true ? [] : null),
    merge: mergeBlocks,
    isGroup: true,
  },
  dynamicZone: {
    input: lazyPart(() => import('./zone/zone-input.tsx')),
    empty: () => [],
    merge: mergeBlocks,
    isGroup: true,
  },
  relation: {
    input: lazyPart(() => import('./relation/relation-input.tsx')),
    empty: ({ many }) => (many === true ? [] : null),
  },
  media: {
    input: lazyPart(() => import('./media/media-input.tsx')),
    empty: ({ many }) => (many === true ? [] : null),
  },
  point: { input: PointInput, cell: PointCell, merge: mergeWhole },
  color: { input: ColorInput },
  json: { input: lazyPart(() => import('./json/json-input.tsx')) },
  slug: { input: SlugInput },
  url: { input: lineInput('url') },
  tel: { input: lineInput('tel') },
  time: { input: lineInput('time') },
  password: { input: lineInput('password') },
}

/** Makes the inputs of the panel known. */
export function registerBuiltInFields() {
  for (const [name, kind] of Object.entries(builtIn)) registerField(name, kind)
}
