import { defineFieldType } from '../field-type.ts'
import { compact } from './options.ts'
import {
  accountTextSchema,
  checkDefaultLength,
  checkLengths,
  comparableText,
  compileText,
  lengthOptions,
  type TextAttribute,
  textDefault,
  textFilter,
  textSchema,
} from './texts.ts'

const options = { ...lengthOptions, default: textDefault }

export const textType = defineFieldType<typeof options, TextAttribute>({
  name: 'text',
  shape: 'value',
  description: 'A long plain text.',
  options,
  checkOptions(file) {
    const longest = file.maxLength ?? Number.POSITIVE_INFINITY
    return [...checkLengths(file, longest), ...checkDefaultLength(file, longest)]
  },
  complete: ({ minLength, maxLength, default: value }) =>
    compact({ unique: false, minLength, maxLength, default: value }),
  column: () => ({ kind: 'text' }),
  compileCheck: compileText,
  jsonSchema: (attribute) => textSchema(attribute),
  accountSchema: (attribute) => accountTextSchema(attribute),
  filter: textFilter,
  graphql: () => ({ scalar: 'String' }),
  typescript: () => 'string',
  index: { isText: true, characters: () => undefined },
  comparable: comparableText,
  search: { format: 'plain', isTitle: false },
})
