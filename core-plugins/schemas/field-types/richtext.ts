import { defineFieldType } from '../field-type.ts'
import { compact } from './options.ts'
import {
  accountTextSchema,
  comparableText,
  compileText,
  type TextAttribute,
  textDefault,
  textFilter,
  textSchema,
} from './texts.ts'

const options = { default: textDefault }

export const richtextType = defineFieldType<typeof options, TextAttribute>({
  name: 'richtext',
  shape: 'value',
  description: 'HTML or structured text.',
  options,
  complete: ({ default: value }) => compact({ unique: false, default: value }),
  column: () => ({ kind: 'text' }),
  compileCheck: compileText,
  jsonSchema: (attribute) => textSchema(attribute),
  accountSchema: (attribute) => accountTextSchema(attribute),
  filter: textFilter,
  graphql: () => ({ scalar: 'String' }),
  typescript: () => 'string',
  index: { isText: true, characters: () => undefined },
  comparable: comparableText,
  search: { format: 'html', isTitle: false },
})
