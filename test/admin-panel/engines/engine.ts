/** One source of input and what it does, as the WebDriver protocols write them: https://www.w3.org/TR/webdriver2/#actions */
export interface InputSource {
  readonly type: 'key' | 'pointer'
  readonly id: string
  readonly actions: readonly Readonly<Record<string, unknown>>[]
}

/** A browser with one tab, driven by what all browsers have in common. */
export interface Engine {
  /** Opens an address, and waits for the page to be loaded. Works that are not saved are not asked about. */
  open(url: string): Promise<void>
  /** The value of an expression in the page, awaited, as JSON keeps it. @throws Error with what the page has thrown */
  evaluate<Value>(expression: string): Promise<Value>
  /** Presses keys and buttons as a person does. */
  perform(sources: readonly InputSource[]): Promise<void>
  close(): Promise<void>
}

/** A browser of the machine. */
export interface EngineKind {
  readonly name: string
  /** What is not installed of what it needs; empty where it can be started. */
  readonly missing: readonly string[]
  start(): Promise<Engine>
}

/** An expression whose value is a text: JSON of what the given one comes to, or the error after `!`. */
export const asText = (expression: string): string =>
  `(async () => JSON.stringify(await (${expression})) ?? 'null')().catch((error) => '!' + error)`

/** The value in what `asText` has come to. */
export function valueIn<Value>(text: string): Value {
  if (text.startsWith('!')) throw new Error(text.slice(1))
  return JSON.parse(text) as Value
}
