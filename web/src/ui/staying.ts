/* Who went elsewhere is not fetched back by a reply that comes late. */

import { onDestroy } from "svelte";

/** Ask it as a part of the page is made; what it gives says whether that part is still there. */
export function staying(): () => boolean {
  let here = true;
  onDestroy(() => {
    here = false;
  });
  return () => here;
}
