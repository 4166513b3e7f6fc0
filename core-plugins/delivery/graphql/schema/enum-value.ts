const enumValue = /^(?!__)(?!(?:true|false|null)$)[A-Za-z_]\w*$/

/** Whether GraphQL can name a value. Apart from the enums themselves: plugins ask at the start, which loads no GraphQL. */
export const isEnumValue = (text: string) => enumValue.test(text)
