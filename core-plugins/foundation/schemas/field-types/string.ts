import { defineFieldType } from '../field-type.ts'
import { shortTextMembers, type shortTextOptions, type TextAttribute } from './texts.ts'

export const stringType = defineFieldType<typeof shortTextOptions, TextAttribute>({
  ...shortTextMembers,
  name: 'string',
  description: 'A short text; at most 255 characters unless `maxLength` says otherwise.',
  search: { format: 'plain', isTitle: true },
})
