/** The fenced blocks of one language in the text of a Markdown document, in their order. */
export function fencedBlocks(text: string, language: string): string[] {
  const block = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms");
  return [...text.matchAll(block)].map(([, code = ""]) => code);
}
