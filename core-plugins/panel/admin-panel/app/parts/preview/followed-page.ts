/** Whether a page responds to edits. */
export type Answer = 'awaited' | 'given' | 'missing' | 'refused'

export interface FollowedPageParts {
  /** Whether the page has a token in its URL and cannot be reloaded once the token expires. */
  readonly needsToken: boolean
  /** Loads the page with the current token in its URL. */
  readonly load: () => void
  /** Sends the current token to the page, if it has ever announced itself. */
  readonly sendToken: () => void
  /** Requests a new token if the present one is about to expire. */
  readonly renewIfDue: () => void
  readonly onAnswer: (answer: Answer) => void
}

/** Events of the frame and its page; see `client/preview.ts`. */
export interface FollowedPage {
  hello(): void
  /** The page has the token; `isKept`: also in its URL. */
  token(isKept: boolean): void
  failed(): void
  /** The frame has loaded a page, for whatever reason. */
  loaded(): void
  /** The token was renewed. */
  renewed(): void
  readonly answer: Answer
  close(): void
}

/** How long a page may take to respond. */
const answerWithinMs = 3_000

/** Detects whether a page still responds, also after reloads, and keeps the token in its URL valid. */
export function followPage({
  needsToken,
  load,
  sendToken,
  renewIfDue,
  onAnswer,
}: FollowedPageParts): FollowedPage {
  let answer: Answer = 'awaited'
  /** Whether the page has responded since the last load. */
  let isHeard = false
  /** Earlier client versions do not confirm the token. */
  let saysTokens = false
  let isRenewing = false
  let timer: ReturnType<typeof setTimeout> | undefined

  function become(next: Answer): void {
    answer = next
    onAnswer(next)
  }

  function hear(): void {
    isHeard = true
    clearTimeout(timer)
  }

  function loadAgain(): void {
    clearTimeout(timer)
    isRenewing = false
    isHeard = false
    load()
  }

  function ask(): void {
    clearTimeout(timer)
    timer = setTimeout(() => (isRenewing ? loadAgain() : become('missing')), answerWithinMs)
    sendToken()
  }

  return {
    get answer() {
      return answer
    },
    hello() {
      hear()
      become('given')
    },
    token(isKept) {
      hear()
      saysTokens = true
      if (answer !== 'refused') become('given')
      if (isRenewing && !isKept) loadAgain()
      isRenewing = false
    },
    failed() {
      become('refused')
      renewIfDue()
    },
    loaded() {
      const hasSaidHello = isHeard
      isHeard = false
      if (!hasSaidHello) become('awaited')
      if (!hasSaidHello || saysTokens) ask()
      renewIfDue()
    },
    renewed() {
      if (answer === 'refused' || (needsToken && answer !== 'given')) return loadAgain()
      isRenewing = needsToken
      if (needsToken) ask()
      else sendToken()
    },
    close: () => clearTimeout(timer),
  }
}
