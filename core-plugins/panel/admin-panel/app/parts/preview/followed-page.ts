/** Whether a page follows what is typed, as it says or fails to say. */
export type Answer = 'awaited' | 'given' | 'missing' | 'refused'

export interface FollowedPageParts {
  /** Whether the page has a token in its address, and so cannot be loaded again once that has expired. */
  readonly needsToken: boolean
  /** Loads the page with the token of the moment in its address. */
  readonly load: () => void
  /** Sends the page the token of the moment, if it has ever said that it listens. */
  readonly sendToken: () => void
  /** Gets another token where the present one is about to expire. */
  readonly renewIfDue: () => void
  readonly onAnswer: (answer: Answer) => void
}

/** What a frame and the page in it do; see `client/preview.ts`. */
export interface FollowedPage {
  hello(): void
  /** It has the token; `isKept`: in its address, too. */
  token(isKept: boolean): void
  failed(): void
  /** The frame has loaded something, whoever wanted that. */
  loaded(): void
  /** There is another token. */
  renewed(): void
  readonly answer: Answer
  close(): void
}

/** How long a page may take to answer. */
const answerWithinMs = 3_000

/** Finds out whether a page still follows, also after it was loaded again, and keeps the token in its address alive. */
export function followPage({
  needsToken,
  load,
  sendToken,
  renewIfDue,
  onAnswer,
}: FollowedPageParts): FollowedPage {
  let answer: Answer = 'awaited'
  /** Since something was loaded. */
  let isHeard = false
  /** Earlier versions of the client do not say that they have the token. */
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
