/** {@link https://docs.example.org/types} */
/** {@link https://docs.example.org/types|the types} */
export const base: string = "https://api.example.org";
export const bad = "https://api.example.org/ñ";
type Url = `https://${string}`;
// [x](https://docs.example.org/md)
// `https://docs.example.org/code`
