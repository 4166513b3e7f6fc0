import { element } from './element.ts'
import { texts } from './texts.ts'

/** A labelled input. */
export interface Field {
  readonly node: HTMLElement
  value(): string
  fill(value: string): void
  focus(): void
}

let count = 0

/** Creates a labelled input; password inputs get a button to show the text. */
export function field(label: string, attributes: Readonly<Record<string, string | boolean>>): Field {
  const id = `field-${++count}`
  const input = element('input', {
    id,
    required: true,
    autocapitalize: 'none',
    spellcheck: 'false',
    ...attributes,
  })
  const box = element('div', { class: 'field' }, element('label', { for: id }, label), input)
  if (attributes.type === 'password') box.append(shower(input))
  const fill = (value: string) => {
    input.value = value
  }
  return { node: box, value: () => input.value, fill, focus: () => input.focus() }
}

function shower(input: HTMLInputElement) {
  const box = element('input', { type: 'checkbox' })
  box.addEventListener('change', () => {
    input.type = box.checked ? 'text' : 'password'
  })
  return element('label', { class: 'show' }, box, texts.show)
}

export interface FormParts {
  readonly title: string
  readonly hint?: string
  readonly fields: readonly Field[]
  readonly action: string
  /** A link to another form, below the button. */
  readonly other?: { readonly label: string; readonly open: () => void }
  /** Returns the error message, if any. */
  submit(): Promise<string | undefined>
}

function leading({ label, open }: NonNullable<FormParts['other']>) {
  const button = element('button', { type: 'button', class: 'other' }, label)
  button.addEventListener('click', open)
  return button
}

/** A form that announces errors to screen readers and prevents double submission. */
export function createForm({ title, hint, fields, action, other, submit }: FormParts): HTMLFormElement {
  const button = element('button', {}, action)
  const alert = element('p', { role: 'alert' })
  const form = element(
    'form',
    {},
    element('h1', {}, title),
    ...(hint === undefined ? [] : [element('p', { class: 'hint' }, hint)]),
    ...fields.map(({ node }) => node),
    alert,
    button,
    ...(other === undefined ? [] : [leading(other)]),
  )
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    alert.textContent = ''
    button.disabled = true
    button.textContent = texts.working
    const problem = await submit()
    button.disabled = false
    button.textContent = action
    if (problem === undefined) return
    alert.textContent = problem
    fields.at(-1)?.focus()
  })
  return form
}
