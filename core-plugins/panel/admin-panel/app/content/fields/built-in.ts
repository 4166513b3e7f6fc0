import { lazyPart } from '../../ground/lazy/lazy-part.ts'
import { mergeBlocks } from '../entry/merge/merge-blocks.ts'
import { mergeWhole } from '../entry/merge/merge-values.ts'
import { type FieldKind, registerField } from '../schema/field-kinds.ts'
import { BooleanInput } from './plain/boolean-input.tsx'
import { ColorInput } from './plain/color-input.tsx'
import { DateInput, DatetimeInput } from './plain/date-input.tsx'
import { EnumInput } from './plain/enum-input.tsx'
import { NumberInput } from './plain/number-input.tsx'
import { PointInput } from './plain/point-input.tsx'
import {
  ReadAddress,
  ReadBoolean,
  ReadDay,
  ReadMoment,
  ReadNumber,
  ReadPassword,
  ReadPoint,
  ReadText,
  ReadWord,
} from './plain/read-plain.tsx'
import { SlugInput } from './plain/slug-input.tsx'
import { AreaInput, lineInput } from './plain/text-input.tsx'

/** The built-in inputs, by field type or widget. Heavy inputs are loaded when a form needs them. */
const builtIn: Readonly<Record<string, FieldKind>> = {
  string: { input: lineInput(), read: ReadText },
  email: { input: lineInput('email'), read: ReadWord },
  text: { input: AreaInput, read: ReadText },
  richtext: {
    input: lazyPart(() => import('./richtext/rich-text-input.tsx')),
    read: lazyPart(() => import('./richtext/read-rich-text.tsx')),
  },
  integer: { input: NumberInput, read: ReadNumber },
  bigint: { input: NumberInput, read: ReadNumber },
  decimal: { input: NumberInput, read: ReadNumber },
  boolean: {
    input: BooleanInput,
    read: ReadBoolean,
    empty: ({ required }) => (required ? false : null),
  },
  enum: { input: EnumInput, read: ReadWord },
  date: { input: DateInput, read: ReadDay },
  datetime: { input: DatetimeInput, read: ReadMoment },
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
  point: { input: PointInput, read: ReadPoint, merge: mergeWhole },
  color: { input: ColorInput, read: ReadWord },
  json: {
    input: lazyPart(() => import('./json/json-input.tsx')),
    read: lazyPart(() => import('./json/read-json.tsx')),
  },
  slug: { input: SlugInput, read: ReadText },
  url: { input: lineInput('url'), read: ReadAddress },
  tel: { input: lineInput('tel'), read: ReadWord },
  time: { input: lineInput('time'), read: ReadWord },
  password: { input: lineInput('password'), read: ReadPassword },
}

/** Registers the panel's built-in inputs. */
export function registerBuiltInFields() {
  for (const [name, kind] of Object.entries(builtIn)) registerField(name, kind)
}
