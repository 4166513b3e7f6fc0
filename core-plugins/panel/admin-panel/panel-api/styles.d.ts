/** What importing a `panel.module.css` gives: class names by the names that the file has for them. */
declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>
  export default classes
}
