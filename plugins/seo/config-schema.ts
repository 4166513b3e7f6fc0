import { type Static, Type } from 'mortise/plugin'

export const configSchema = Type.Object({
  fill: Type.Boolean({
    title: 'Fill empty meta fields',
    description:
      'Whether metaTitle and metaDescription are taken from title and excerpt where they are empty',
    default: false,
  }),
  titleLength: Type.Integer({ title: 'Longest title', default: 60, minimum: 10, maximum: 255 }),
  descriptionLength: Type.Integer({ title: 'Longest description', default: 160, minimum: 10, maximum: 1000 }),
})

/** Set by administrators; may change at run time. */
export type SeoConfig = Readonly<Static<typeof configSchema>>
