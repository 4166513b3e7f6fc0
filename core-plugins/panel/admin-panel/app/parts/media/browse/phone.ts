/** The media query for phones, the same as in style sheets, for layouts measured by script. */
export const phone = matchMedia('(max-width: 48rem)')
