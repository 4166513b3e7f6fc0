const enumValue = /^(?!__)(?!(?:true|false|null)$)[A-Za-z_]\w*$/

/**
 * Whether a text is a valid name of an enum value. In a module of its own, since plugins need it at the start, when GraphQL is
 * not loaded.
 */
export const isEnumValue = (text: string) => enumValue.test(text)
