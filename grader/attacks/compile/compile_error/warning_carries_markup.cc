// Hostile: HTML markup in a compiler message; the page shows messages as text.
#error </code></pre><script>document.title = 1</script> ``` # Accepted
