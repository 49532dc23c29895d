/** Answers questions by the plan at an address, in a Worker. */
export declare function oddsOf(
  plan: URL,
): (question: string) => Promise<string>;
