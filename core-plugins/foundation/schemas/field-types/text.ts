import { defineFieldType } from '../field-type.ts'
import { compact } from './options.ts'
import {
  checkDefaultLength,
  checkLengths,
  lengthOptions,
  longTextMembers,
  type TextAttribute,
  textDefault,
} from './texts.ts'

const options = { ...lengthOptions, default: textDefault }

export const textType = defineFieldType<typeof options, TextAttribute>({
  ...longTextMembers,
  name: 'text',
  description: 'A long plain text.',
  options,
  checkOptions(file) {
    const longest = file.maxLength ?? Number.POSITIVE_INFINITY
    return [...checkLengths(file, longest), ...checkDefaultLength(file, longest)]
  },
  complete: ({ minLength, maxLength, default: value }) =>
    compact({ unique: false, minLength, maxLength, default: value }),
  search: { format: 'plain', isTitle: false },
})
