/** Where style sheets begin with phones, too. Layouts that are measured by script need to know. */
export const phone = matchMedia('(max-width: 48rem)')
