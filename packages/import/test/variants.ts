/*
 * Other forms that the fields of a recorded value could have. A recorder of tomorrow, or a damaged
 * file, may have any of them.
 */

/** The value with one of its parts in another form, for each part and form; strings all stay. */
export function* variantsOf(value: unknown): Generator<unknown> {
  yield* otherForms(value);
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      for (const variant of variantsOf(item)) yield value.with(index, variant);
    }
  } else if (typeof value === "object" && value !== null) {
    for (const [key, field] of Object.entries(value)) {
      for (const variant of variantsOf(field)) yield { ...value, [key]: variant };
    }
  }
}

function* otherForms(value: unknown): Generator<unknown> {
  yield [value];
  yield [[value]];
  yield { text: value };
  yield { type: "text", text: value };
  yield { content: value };
  if (Array.isArray(value)) {
    yield [...value, "said at the end", null, "", 7];
    if (value.length === 1) yield value[0];
  } else if (typeof value === "object" && value !== null) {
    yield JSON.stringify(value);
    yield { ...value, more: "said beside" };
    for (const key of Object.keys(value)) yield renamed(value, key);
  }
}

function renamed(value: object, key: string): object {
  return Object.fromEntries(
    Object.entries(value).map(([each, field]) => [each === key ? `${key}_new` : each, field]),
  );
}

/** The texts in a value that begin as those of the templates do. */
export function saidIn(value: unknown): string[] {
  return JSON.stringify(value).match(/said [a-z0-9 ]+/g) ?? [];
}
