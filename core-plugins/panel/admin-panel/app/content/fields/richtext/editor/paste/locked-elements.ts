/** Elements with a meaning that the editor cannot show; they are kept unchanged. */
export const lockedElements = `table, figure, dl, details, audio, video, sub, sup, mark, small, abbr, cite, q, dfn, kbd, samp,
  var, ins, ruby, bdo, time`
