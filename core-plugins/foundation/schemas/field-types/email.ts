import { defineFieldType } from '../field-type.ts'
import { badDefault } from './options.ts'
import {
  checkShortText,
  compileEmail,
  isEmail,
  shortTextMembers,
  type shortTextOptions,
  type TextAttribute,
  textSchemas,
} from './texts.ts'

export const emailType = defineFieldType<typeof shortTextOptions, TextAttribute>({
  ...shortTextMembers,
  ...textSchemas({ format: 'email' }),
  name: 'email',
  description: 'An e-mail address.',
  checkOptions(file) {
    const isAddress = file.default === undefined || isEmail(file.default)
    return [...checkShortText(file), ...(isAddress ? [] : [badDefault(file.default, 'be an e-mail address')])]
  },
  compileCheck: compileEmail,
  search: { format: 'plain', isTitle: false },
})
